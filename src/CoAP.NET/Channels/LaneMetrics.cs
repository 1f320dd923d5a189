namespace CoAP.Channels;

/// <summary>What one lane counts. Plain fields: the lane alone writes them, the meter reads them whenever it is asked.</summary>
internal sealed class LaneMetrics
{
    private readonly long[] _received = new long[4 * 256];
    private readonly long[] _sent = new long[4 * 256];

    public long Retransmissions { get; set; }

    public long Duplicates { get; set; }

    public long ReusedMessageIds { get; set; }

    public long PeersReusingMessageIds { get; set; }

    public long Malformed { get; set; }

    public long DroppedForOverload { get; set; }

    public long Unmatched { get; set; }

    public long UnacknowledgedAnswers { get; set; }

    public long FailedRequests { get; private set; }

    public long LateAnswers { get; set; }

    public ReadOnlySpan<long> ReceivedByTypeAndCode => _received;

    public ReadOnlySpan<long> SentByTypeAndCode => _sent;

    public void Received(CoapMessage message) => _received[((int)message.Type << 8) | message.Code.Value]++;

    public void Sent(CoapMessage message) => _sent[((int)message.Type << 8) | message.Code.Value]++;

    public void Failed(ClientExchange exchange, Exception error)
    {
        FailedRequests++;
        CoapMetrics.RecordFailure(exchange.Request.Method, error);
    }
}
