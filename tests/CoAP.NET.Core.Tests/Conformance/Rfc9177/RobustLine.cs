using System.Globalization;
using CoAP.Blockwise;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>An end of a <see cref="RobustLine"/>: machines that are polled and handed messages.</summary>
internal interface IRobustEnd
{
    long Deadline { get; }

    IEnumerable<RobustPart> Poll(long now);

    void Receive(CoapMessage message, long now);
}

/// <summary>
/// Two ends and the datagrams between them, in simulated time, by chance late, lost and doubled; the same seed gives the same run. Each message
/// goes through its bytes. The log is written as the figures of RFC 9177 are: <c>4.05 &lt; 4.08 T3 [Missing 1]</c>, a lost one ends in X.
/// </summary>
internal sealed class RobustLine(IRobustEnd client, IRobustEnd server, int seed = 1)
{
    private readonly PriorityQueue<(IRobustEnd To, byte[] Bytes), (long, int)> _underway = new();
    private readonly Random _random = new(seed);
    private readonly List<Token> _tokens = [];
    private int _sent;
    private long _now;

    public List<string> Log { get; } = [];

    public double Loss { get; init; }

    public double Duplication { get; init; }

    public double Jitter { get; init; }

    public double Latency { get; init; } = 0.05;

    public Func<string, bool> Drop { get; set; } = _ => false;

    public double Now => (double)_now / TimeSpan.TicksPerSecond;

    public static long Ticks(double seconds) => (long)(seconds * TimeSpan.TicksPerSecond);

    /// <summary>Runs until nothing is under way and nobody wants to be woken before the limit.</summary>
    public RobustLine Run(double until = 3600)
    {
        while (true)
        {
            PollAll();
            var next = Math.Min(client.Deadline, server.Deadline);
            if (_underway.TryPeek(out _, out var arrival)) { next = Math.Min(next, arrival.Item1); }
            if (next > Ticks(until))
            {
                if (next != long.MaxValue) { _now = Ticks(until); }
                return this;
            }
            _now = Math.Max(_now, next);
            while (_underway.TryPeek(out _, out arrival) && arrival.Item1 <= _now)
            {
                var (to, bytes) = _underway.Dequeue();
                to.Receive(CoapMessageSerializer.Datagram.Deserialize(bytes), _now);
                PollAll();
            }
        }
    }

    private void PollAll()
    {
        foreach (var end in new[] { client, server })
        {
            foreach (var part in end.Poll(_now)) { Send(part, end == client ? server : client); }
        }
    }

    private void Send(RobustPart part, IRobustEnd to)
    {
        var bytes = CoapMessageSerializer.Datagram.Serialize(part.ToMessage(MessageType.NonConfirmable, new MessageId((ushort)_sent)));
        bytes.Length.Should().BeLessThanOrEqualTo(1152, "RFC 7252, section 4.6");
        var text = Describe(part, to == server ? '>' : '<');
        var isLost = Drop(text) | _random.NextDouble() < Loss;
        var copies = isLost ? 0 : _random.NextDouble() < Duplication ? 2 : 1;
        for (var copy = 0; copy < copies; copy++) { _underway.Enqueue((to, bytes), (_now + Ticks(Latency + (_random.NextDouble() * Jitter)), _sent++)); }
        Log.Add(string.Create(CultureInfo.InvariantCulture, $"{Now:0.00} {text}{(isLost ? " X" : "")}"));
    }

    private string Describe(RobustPart part, char arrow)
    {
        if (!_tokens.Contains(part.Token)) { _tokens.Add(part.Token); }
        var text = $"{arrow} {MethodOf(part.Code)} T{_tokens.IndexOf(part.Token) + 1}";
        foreach (var option in part.Options.OrderBy(option => option is RequestTag ? 5 : option.Number))
        {
            text += option switch
            {
                Observe observe => $" O:{observe.Value}",
                RequestTag tag => $" RT={tag.Value.Span[0]}",
                ETag tag => $" ET={tag.Value.Span[0]}",
                QBlock1 block => $" QB1:{Text(block)}",
                QBlock2 block => $" QB2:{Text(block)}",
                _ => "",
            };
        }
        return part.Code == ResponseCode.RequestEntityIncomplete ? $"{text} [Missing {string.Join(',', part.Payload.ToArray())}]" : text;
    }

    private static string Text(BlockOption block) => $"{block.BlockNumber}/{(block.HasMore ? 1 : 0)}/{1 << (block.SizeExponent + 4)}";

    private static string MethodOf(CoapCode code) =>
        code == RequestCode.Get ? "GET" : code == RequestCode.Put ? "PUT" : code == RequestCode.Fetch ? "FETCH" : code == RequestCode.Post ? "POST"
        : $"{code.Value >> 5}.{code.Value & 31:00}";
}
