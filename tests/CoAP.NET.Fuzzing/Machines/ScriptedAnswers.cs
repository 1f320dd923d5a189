using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>The server of the client under test: it sends what a script says, fitted to the latest request where the script says so.</summary>
internal sealed class ScriptedAnswers(ScriptedPeer peer) : IDisposable
{
    private const int MaxStanding = 200;

    private byte[]? _latest;
    private (int Kind, byte[] Message)? _standing;
    private int _taken;
    private int _answered;

    /// <summary>Sends a message now, and from now on after each request if it is standing.</summary>
    public void Send(int kind, byte[] message)
    {
        if ((kind & Fitting.IsStanding) != 0) { _standing = (kind, message); }
        peer.Send(Fitting.Fit(kind, message, _latest));
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
        peer.Send(Fitting.Fit(standing.Kind, standing.Message, _latest));
        return true;
    }
}
