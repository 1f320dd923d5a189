using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;
using CoAP.Testing;

namespace CoAP.Fuzzing.Machines;

/// <summary>The server of the client under test: it sends what a script says, fitted to the latest request where the script says so.</summary>
internal sealed class ScriptedAnswers(ScriptedPeer peer) : IDisposable
{
    public const int FitsId = 0x02;
    public const int FitsToken = 0x04;
    public const int FitsBlock1 = 0x08;
    public const int FitsBlock2 = 0x10;
    public const int IsStanding = 0x40;

    private const int MaxStanding = 200;

    private static readonly int[] Blocks1 = [27, 19];
    private static readonly int[] Blocks2 = [23, 31];

    private byte[]? _latest;
    private (int Kind, byte[] Message)? _standing;
    private int _taken;
    private int _answered;

    /// <summary>Sends a message now, and from now on after each request if it is standing.</summary>
    public void Send(int kind, byte[] message)
    {
        if ((kind & IsStanding) != 0) { _standing = (kind, message); }
        peer.Send(Fit(kind, message));
    }

    /// <summary>Runs the wire in parts, and answers what arrives with the standing message.</summary>
    public void Wait(TimeSpan time, Trace trace)
    {
        const int Parts = 4;
        for (var part = 0; part < Parts; part++) { Take(time / Parts, trace); }
    }

    public void Dispose() => peer.Dispose();

    private void Take(TimeSpan time, Trace trace)
    {
        peer.TakeAll(time.TotalSeconds);
        for (var hasAnswered = true; hasAnswered;)
        {
            hasAnswered = false;
            for (; _taken < peer.Received.Count; _taken++) { hasAnswered |= Examine(peer.Received[_taken], trace); }
            if (hasAnswered) { peer.TakeAll(0); }
        }
    }

    private bool Examine(byte[] bytes, Trace trace)
    {
        var message = DatagramOracle.Read(bytes) ?? throw new FuzzFailure($"the client sent {Hex.Text(bytes)}, which is no message");
        trace.Add("request", (message.Type << 8) | message.Code);
        foreach (var number in message.Options.Split(' ', '=').Where((_, at) => at % 2 == 0)) { trace.Add($"with {number}", message.Code); }
        if (message.Code is 0 or >= 32) { return false; }
        _latest = bytes;
        if (_standing is not { } standing || _answered++ >= MaxStanding) { return false; }
        peer.Send(Fit(standing.Kind, standing.Message));
        return true;
    }

    private byte[] Fit(int kind, byte[] message)
    {
        if (_latest is null || DatagramOracle.Read(message) is null) { return message; }
        var (request, answer) = (WireMessage.Read(_latest), WireMessage.Read(message));
        if ((kind & FitsId) != 0) { answer = answer with { Id = request.Id }; }
        if ((kind & FitsToken) != 0) { answer = answer with { Token = answer.Code == 0 ? [] : request.Token }; }
        if ((kind & FitsBlock1) != 0) { answer = Copy(answer, request, Blocks1, keepsMore: false); }
        if ((kind & FitsBlock2) != 0) { answer = Copy(answer, request, Blocks2, keepsMore: true); }
        return answer.ToBytes();
    }

    // Number and size are those of the request. Whether more blocks follow is what the script says.
    private static WireMessage Copy(WireMessage answer, WireMessage request, int[] numbers, bool keepsMore)
    {
        if (request.Options.FirstOrDefault(one => numbers.Contains(one.Number)) is not { Value.Length: <= 3 } asked) { return answer; }
        var said = answer.Options.FirstOrDefault(one => one.Number == asked.Number);
        byte[] value = asked.Value.Length == 0 ? [0] : [.. asked.Value];
        if (keepsMore && said is { Value.Length: > 0 }) { value[^1] = (byte)((value[^1] & ~8) | (said.Value[^1] & 8)); }
        return answer with { Options = [.. answer.Options.Where(one => one.Number != asked.Number), new WireOption(asked.Number, value)] };
    }
}
