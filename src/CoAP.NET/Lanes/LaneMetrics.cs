namespace CoAP.Lanes;

/// <summary>What one lane counts. Plain fields: the lane alone writes them, the meter reads them whenever it is asked.</summary>
/// <param name="places">The places of its tables by type and code: all, or those of the codes alone where messages have no types.</param>
internal sealed class LaneMetrics(int places = LaneMetrics.TypesAndCodes)
{
    /// <summary>The places of a table by code.</summary>
    public const int Codes = 256;

    /// <summary>The places of a table by message type and code.</summary>
    public const int TypesAndCodes = 4 * Codes;

    public long[] ReceivedByTypeAndCode { get; } = new long[places];

    public long[] SentByTypeAndCode { get; } = new long[places];

    public long Retransmissions { get; set; }

    public long Duplicates { get; set; }

    public long ReusedMessageIds { get; set; }

    public long PeersReusingMessageIds { get; set; }

    public long Malformed { get; set; }

    /// <summary>Connections that ended with an Abort of ours.</summary>
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

    /// <summary>Observations of our resources; nothing once the lane has ended.</summary>
    public long ActiveObservations { get; set; }

    /// <summary>Messages to a group that were no requests without reliability.</summary>
    public long IgnoredMulticasts { get; set; }

    /// <summary>Answers to multicast requests that were of no use to anybody.</summary>
    public long SuppressedAnswers { get; set; }

    /// <summary>Answers of groups that came while too many waited for a slow reader.</summary>
    public long DroppedGroupAnswers { get; set; }

    public long LimitedAnswers { get; set; }

    /// <summary>Requests in progress, received and sent; nothing once the lane has ended.</summary>
    public long ActiveExchanges { get; set; }

    /// <summary>How long ago the oldest remembered message was received, in ticks; 0 where none is remembered and once the lane has ended.</summary>
    public long DeduplicationWindow { get; set; }

    /// <summary>The answers that deduplication forgot before their time.</summary>
    public long ForgottenAnswers { get; set; }

    /// <summary>The received requests by their <see cref="RequestEnd"/>.</summary>
    public long[] RequestEnds { get; } = new long[Enum.GetValues<RequestEnd>().Length];

    /// <summary>Counts the end of a request.</summary>
    public void Ended(RequestEnd end) => RequestEnds[(int)end]++;

    public void Received(CoapMessage message) => ReceivedByTypeAndCode[IndexOf(message)]++;

    public void Sent(CoapMessage message) => SentByTypeAndCode[IndexOf(message)]++;

    /// <summary>Adds what another lane has counted.</summary>
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
