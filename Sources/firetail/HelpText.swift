import Configuration

/// What `firetail help` prints.
enum HelpText {
    static let usage = """
        firetail tails log files and ships their lines to Amazon Data Firehose.

        firetail [run] [-c FILE] [--log-level LEVEL] [--lenient]
            reads and ships until SIGTERM or SIGINT
        firetail check [-c FILE] [--live] [--lenient]
            says whether the configuration is right, which files match now and where each would start
        firetail status [-c FILE] [--json]
            asks the running agent how every flow, stream and file stands
        firetail dead-letters [list | show | replay | drop] [-c FILE] [--stream NAME] [ID... | --all] [--json]
            the records that were set aside: shows them, sends them again, deletes them
        firetail --version
        firetail help [run | check | status | dead-letters | config]

        -c, --configuration FILE   the configuration; \(CommandLineOptions.defaultConfiguration) if not given
            --log-level LEVEL      error, warning, info (default) or debug
            --lenient              unknown keys of the configuration are warnings, not faults

        Exit codes: 0 fine, 1 runtime error, 2 wrong usage, 3 no agent to ask, 75 another agent runs, 78 wrong
        configuration.

        """

    /// The help on one subject; nil if there is none.
    static func text(for topic: String?) -> String? {
        switch topic {
        case nil: usage
        case "run": run
        case "check": check
        case "status": status
        case "dead-letters": deadLetters
        case "config", "configuration": AgentConfiguration.reference()
        default: nil
        }
    }

    private static let run = """
        firetail run [-c FILE] [--log-level LEVEL] [--lenient]

        Follows every file that matches, through rotations and restarts, and ships its lines. Records and read
        positions are kept in one database in stateDirectory, so nothing is lost or repeated by a crash but what
        was on its way to the service at that moment. While the service cannot be reached, records wait in the
        cache (up to cacheMaxBytes), then in the log files.

        SIGTERM, SIGINT   stops reading, stores what is read, tries one last flush within shutdownTimeoutMillis,
                          and exits with 0; a second one exits at once, and loses nothing either
        SIGHUP            reads the configuration again, all or nothing: if it is wrong, the old one stays in force

        Credentials come from awsAccessKeyId and awsSecretAccessKey in the configuration, from AWS_ACCESS_KEY_ID and
        AWS_SECRET_ACCESS_KEY (AWS_SESSION_TOKEN), from a profile of the shared AWS files, from a web identity (EKS), the
        container (ECS, EKS) or the EC2 instance. With assumeRoleARN in the configuration they assume a role.
        AWS_REGION, AWS_PROFILE, AWS_CA_BUNDLE, HTTPS_PROXY and NO_PROXY are honoured.

        """

    private static let status = """
        firetail status [-c FILE] [--json]

        Asks the agent that runs with the configuration's stateDirectory, which answers whatever the service does.

        FLOWS     lines and bytes read since the last start or reload, lines cut, records made of them; bytes that are
                  read and wait for more lines (pending) and that are not read yet (behind)
        STREAMS   what became of every record since the state directory was made:
                  stored = delivered + cached + dead letters + dropped + damaged
        FILES     bytes in the file, read, and stored; what is not read yet, and since how many seconds

        Exits with 3 if no agent runs.

        """

    private static let deadLetters = """
        firetail dead-letters [list] [-c FILE] [--stream NAME] [--json] [ID...]
        firetail dead-letters show   [-c FILE] ID
        firetail dead-letters replay [-c FILE] [--stream NAME] (ID... | --all)
        firetail dead-letters drop   [-c FILE] [--stream NAME] (ID... | --all)

        Records that the service will never take, or refused more often than maxRetries allows, are set aside in the
        state directory, up to deadLetterMaxBytes. The agent that runs does what is asked; without one it is done here.

        list     when and why each was set aside, how often it was refused before, and where its lines were read;
                 never what is in it
        show     writes the bytes of one to standard output, exactly
        replay   puts them back at the end of their stream's queue, as records that were never refused
        drop     deletes them

        All or nothing: with an id that is not there, nothing is done and the exit code is 1. Ids are never given again.
        Exits with 75 if another program has the state directory and does not answer.

        """

    private static let check = """
        firetail check [-c FILE] [--live] [--lenient]

        Reads the configuration and names all its faults; exits with 78 if there is one. Otherwise it shows where
        records would go, whose credentials would sign, and for each flow the files that match now, where reading of
        each would start, and how much there is to read. Nothing is sent.

        --live   also asks the service about each stream (DescribeDeliveryStream; no record is sent): whether it takes
                 records, where it delivers to, and whether the flow suits that; estimates from the latest lines what
                 would be billed, in steps of 5 KB a record; and prints the smallest IAM policy that will do. Exits
                 with 1 if something is wrong, and says what to do.

        """
}
