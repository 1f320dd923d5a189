using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>One client of the server under test, which keeps count of what it asked and of what it was told.</summary>
internal sealed class ScriptedClient(ScriptedPeer peer, Wire wire) : IDisposable
{
    // A duplicate of a confirmable request may be one until EXCHANGE_LIFETIME has passed, and no longer one after NON_LIFETIME.
    private static readonly TimeSpan SurelyDuplicate = TimeSpan.FromSeconds(100);

    private const int Observe = 6;
    private const int QBlock1 = 19;
    private const int QBlock2 = 31;

    private readonly Dictionary<int, (string Text, TimeSpan At)> _latest = [];
    private readonly Dictionary<string, int> _asked = [];
    private int _taken;

    public void Send(byte[] bytes)
    {
        peer.Send(bytes);
        if (bytes.Length < 4) { return; }
        var (id, text) = ((bytes[2] << 8) | bytes[3], Hex.Text(bytes));
        // Other bytes with the same message ID are another message, and the server forgets the one before.
        var isNew = !_latest.TryGetValue(id, out var before) || before.Text != text || wire.Time.Elapsed - before.At > SurelyDuplicate;
        if (!isNew) { return; }
        _latest[id] = (text, wire.Time.Elapsed);
        if (DatagramOracle.Read(bytes) is not { } message) { return; }
        // Notifications and sets of blocks are several responses to one request.
        var count = Has(message, Observe) || Has(message, QBlock1) || Has(message, QBlock2) ? 1_000_000 : 1;
        if (message.Code is > 0 and < 32 && message.Type < 2) { _asked[message.Token] = _asked.GetValueOrDefault(message.Token) + count; }
    }

    /// <summary>Acknowledges or rejects what came last.</summary>
    public void React(bool rejects)
    {
        if (peer.Received.Count == 0) { return; }
        var last = peer.Received[^1];
        peer.Send([(byte)(rejects ? 0x70 : 0x60), 0, last[2], last[3]]);
    }

    /// <summary>Runs the wire and looks at what has arrived.</summary>
    public void Wait(TimeSpan time, Trace trace)
    {
        peer.TakeAll(time.TotalSeconds);
        for (; _taken < peer.Received.Count; _taken++) { Examine(peer.Received[_taken], trace); }
    }

    /// <summary>Fails if the server has answered more than was asked.</summary>
    public void Check()
    {
        var responses = peer.Received.Select(bytes => (Text: Hex.Text(bytes), Message: DatagramOracle.Read(bytes)!)).Where(one => one.Message.Code >= 64).DistinctBy(one => one.Text);
        foreach (var answers in responses.GroupBy(one => one.Message.Token))
        {
            var asked = _asked.GetValueOrDefault(answers.Key);
            FuzzFailure.ThrowIf(answers.Count() > asked, $"token {answers.Key} was in {asked} requests and {answers.Count()} responses: {string.Join(", ", answers.Select(one => one.Text))}");
        }
    }

    public void Dispose() => peer.Dispose();

    private void Examine(byte[] bytes, Trace trace)
    {
        var message = DatagramOracle.Read(bytes) ?? throw new FuzzFailure($"the server sent {Hex.Text(bytes)}, which is no message");
        trace.Add("response", (message.Type << 8) | message.Code);
        foreach (var number in message.Options.Split(' ', '=').Where((_, at) => at % 2 == 0)) { trace.Add($"with {number}", message.Code); }
        FuzzFailure.ThrowIf(message.Type >= 2 && !_latest.ContainsKey(message.Id), $"the server acknowledges message {message.Id:x4}, which nobody sent");
    }

    private static bool Has(PlainMessage message, int option) => $" {message.Options}".Contains($" {option}=", StringComparison.Ordinal);
}
