using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Fuzzing.Machines;

/// <summary>The other end of a connection under test: sends bytes as they are, and reads what comes with an oracle.</summary>
internal sealed class ScriptedConnection(IStreamConnection connection) : IDisposable
{
    private const int Observe = 6;

    private readonly byte[] _buffer = new byte[16 << 10];
    private readonly List<byte> _sent = [];
    private readonly List<PlainMessage> _messages = [];
    private byte[] _unread = [];
    private bool _isOver;

    /// <summary>Whether the peer has ceased to read.</summary>
    public bool IsDeaf { get; set; }

    /// <summary>What has arrived.</summary>
    public IReadOnlyList<PlainMessage> Messages => _messages;

    /// <summary>The request that arrived last, in the format of a datagram.</summary>
    public byte[]? Latest { get; private set; }

    /// <summary>Sends bytes. What the connection has no room for is lost.</summary>
    public void Send(byte[] bytes)
    {
        if (_isOver || bytes.Length == 0 || connection.Send(bytes, out var count) != StreamOutcome.Done) { return; }
        _sent.AddRange(bytes.AsSpan(0, count));
    }

    public void EndSending()
    {
        if (!_isOver) { connection.EndSending(); }
    }

    /// <summary>Reads what is there; returns the number of requests among it.</summary>
    public int Receive(Trace trace)
    {
        var requests = 0;
        while (!_isOver && !IsDeaf && connection.Receive(_buffer, out var count) == StreamOutcome.Done && count > 0)
        {
            _unread = [.. _unread, .. _buffer.AsSpan(0, count)];
            requests += Cut(trace);
        }
        return requests;
    }

    /// <summary>Fails if there are more responses than requests. A request that is refused before it is whole may add one.</summary>
    public void Check()
    {
        var asked = new Dictionary<string, int>();
        var rest = _sent.ToArray();
        while (StreamOracle.Read(rest, out var message, out var length) == StreamVerdict.Message)
        {
            rest = rest[(int)length..];
            if (message!.Code is 0 or >= 32) { continue; }
            var isMany = $" {message.Options}".Contains($" {Observe}=", StringComparison.Ordinal);
            asked[message.Token] = asked.GetValueOrDefault(message.Token) + (isMany ? 1_000_000 : 1);
        }
        foreach (var answers in _messages.Where(one => one.Code is >= 64 and < 224).GroupBy(one => one.Token))
        {
            var most = asked.GetValueOrDefault(answers.Key) + 1;
            FuzzFailure.ThrowIf(answers.Count() > most, $"token {answers.Key} was in {most - 1} requests and {answers.Count()} responses: {string.Join(", ", answers)}");
        }
    }

    public void Dispose()
    {
        if (_isOver) { return; }
        _isOver = true;
        connection.Dispose();
    }

    private int Cut(Trace trace)
    {
        var requests = 0;
        for (StreamVerdict verdict; (verdict = StreamOracle.Read(_unread, out var message, out var length)) != StreamVerdict.NeedsMore;)
        {
            FuzzFailure.ThrowIf(verdict == StreamVerdict.Malformed, $"the endpoint sent {Hex.Text(_unread)}, which is no message");
            FuzzFailure.ThrowIf(_messages.Count == 0 && message!.Code != 0xE1, $"the first message is no CSM but {message}");
            trace.Add("message", message!.Code);
            foreach (var number in message.Options.Split(' ', '=').Where((_, at) => at % 2 == 0)) { trace.Add($"with {number}", message.Code); }
            _messages.Add(message);
            if (message.Code is > 0 and < 32)
            {
                Latest = Reframing.ToDatagram(_unread[..(int)length]);
                requests++;
            }
            _unread = _unread[(int)length..];
        }
        return requests;
    }
}
