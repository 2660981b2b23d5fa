import Records

/// What an operator has to allow.
enum IAMPolicy {
    /// The smallest policy with which the agent can send to these streams, and `check --live` can describe them.
    static func toSend(to arns: [String]) -> String {
        let resources = arns.map { "                \"\($0)\"" }.joined(separator: ",\n")
        return """
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Action": ["firehose:PutRecordBatch", "firehose:DescribeDeliveryStream"],
                        "Resource": [
            \(resources)
                        ]
                    }
                ]
            }

            """
    }

    /// The full name of a stream of which the service has told nothing.
    ///
    /// `known` is the full name of something in the same account; without it, any account is meant.
    static func arn(of stream: StreamName, region: String, inAccountOf known: String?) -> String {
        let parts = (known ?? "").split(separator: ":", omittingEmptySubsequences: false)
        let (partition, account) =
            parts.count > 5 ? (String(parts[1]), String(parts[4])) : (Self.partition(region), "*")
        return "arn:\(partition):firehose:\(region):\(account):deliverystream/\(stream)"
    }

    /// Which part of AWS a region is in.
    private static func partition(_ region: String) -> String {
        let prefixes = [
            ("cn-", "aws-cn"), ("us-gov-", "aws-us-gov"), ("eusc-", "aws-eusc"), ("us-iso-", "aws-iso"),
            ("us-isob-", "aws-iso-b"), ("eu-isoe-", "aws-iso-e"), ("us-isof-", "aws-iso-f"),
        ]
        return prefixes.first { region.hasPrefix($0.0) }?.1 ?? "aws"
    }
}
