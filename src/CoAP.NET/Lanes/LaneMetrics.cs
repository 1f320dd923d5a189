namespace CoAP.Lanes;

/// <summary>The counters of one lane. Only the lane writes them, and the meter reads them at any time, so they are plain fields.</summary>
/// <param name="places">The length of the tables by type and code. <see cref="Codes"/> is enough for transports without message types.</param>
internal sealed class LaneMetrics(int places = LaneMetrics.TypesAndCodes)
{
    /// <summary>The length of a table by code.</summary>
    public const int Codes = 256;

    /// <summary>The length of a table by message type and code.</summary>
    public const int TypesAndCodes = 4 * Codes;

    public long[] ReceivedByTypeAndCode { get; } = new long[places];

    public long[] SentByTypeAndCode { get; } = new long[places];

    public long Retransmissions { get; set; }

    public long Duplicates { get; set; }

    public long ReusedMessageIds { get; set; }

    public long PeersReusingMessageIds { get; set; }

    public long Malformed { get; set; }

    /// <summary>Connections that this endpoint ended with an Abort.</summary>
    public long AbortedConnections { get; set; }

    public long DroppedForOverload { get; set; }

    public long DroppedAtEnd { get; set; }

    public long Unmatched { get; set; }

    public long UnacknowledgedAnswers { get; set; }

    public long FailedRequests { get; set; }

    public long LateAnswers { get; set; }

    public long DeclinedObservations { get; set; }

    public long UnsavedObservations { get; set; }

    public long Notifications { get; set; }

    /// <summary>The current observations of this endpoint's resources; 0 after the lane has ended.</summary>
    public long ActiveObservations { get; set; }

    /// <summary>Messages to a group that were not non-confirmable requests.</summary>
    public long IgnoredMulticasts { get; set; }

    /// <summary>Answers to multicast requests that were not sent, because they would be of no use to the client.</summary>
    public long SuppressedAnswers { get; set; }

    /// <summary>Answers from groups that were dropped because a slow reader had no room.</summary>
    public long DroppedGroupAnswers { get; set; }

    public long LimitedAnswers { get; set; }

    /// <summary>Requests in progress, received and sent; 0 after the lane has ended.</summary>
    public long ActiveExchanges { get; set; }

    /// <summary>The age of the oldest message that deduplication remembers, in ticks; 0 if it remembers none and after the lane has ended.</summary>
    public long DeduplicationWindow { get; set; }

    /// <summary>Answers that deduplication forgot before EXCHANGE_LIFETIME was over.</summary>
    public long ForgottenAnswers { get; set; }

    /// <summary>The number of received requests by their <see cref="RequestEnd"/>.</summary>
    public long[] RequestEnds { get; } = new long[Enum.GetValues<RequestEnd>().Length];

    /// <summary>Counts the end of a request.</summary>
    public void Ended(RequestEnd end) => RequestEnds[(int)end]++;

    public void Received(CoapMessage message) => ReceivedByTypeAndCode[IndexOf(message)]++;

    public void Sent(CoapMessage message) => SentByTypeAndCode[IndexOf(message)]++;

    /// <summary>Adds the counters of another lane.</summary>
    public void Absorb(LaneMetrics other)
    {
        for (var index = 0; index < other.SentByTypeAndCode.Length; index++)
        {
            ReceivedByTypeAndCode[index] += other.ReceivedByTypeAndCode[index];
            SentByTypeAndCode[index] += other.SentByTypeAndCode[index];
        }
        Retransmissions += other.Retransmissions;
        Duplicates += other.Duplicates;
        ReusedMessageIds += other.ReusedMessageIds;
        PeersReusingMessageIds += other.PeersReusingMessageIds;
        Malformed += other.Malformed;
        AbortedConnections += other.AbortedConnections;
        DroppedForOverload += other.DroppedForOverload;
        DroppedAtEnd += other.DroppedAtEnd;
        Unmatched += other.Unmatched;
        UnacknowledgedAnswers += other.UnacknowledgedAnswers;
        FailedRequests += other.FailedRequests;
        LateAnswers += other.LateAnswers;
        DeclinedObservations += other.DeclinedObservations;
        Notifications += other.Notifications;
        UnsavedObservations += other.UnsavedObservations;
        IgnoredMulticasts += other.IgnoredMulticasts;
        SuppressedAnswers += other.SuppressedAnswers;
        DroppedGroupAnswers += other.DroppedGroupAnswers;
        LimitedAnswers += other.LimitedAnswers;
        ForgottenAnswers += other.ForgottenAnswers;
        for (var end = 0; end < RequestEnds.Length; end++) { RequestEnds[end] += other.RequestEnds[end]; }
    }

    private static int IndexOf(CoapMessage message) => ((int)message.Type << 8) | message.Code.Value;
}
