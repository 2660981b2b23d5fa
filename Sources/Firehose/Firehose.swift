// Firehose
