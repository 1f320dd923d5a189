using System.Collections.Concurrent;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>A server whose handler of /slow keeps its thread for one client until the gate opens, and answers others at once.</summary>
public abstract class HeldThreadScene : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly ManualResetEventSlim _gate = new();
    private readonly ManualResetEventSlim _isHeld = new();
    private readonly ConcurrentQueue<string> _served = new();

    /// <param name="settings">The settings of the server.</param>
    /// <param name="holder">The name of the client that keeps a thread.</param>
    private protected HeldThreadScene(CoapServerSettings settings, string holder)
    {
        Server = LaneEnd.Server(Wire, map => map.At("slow").Get(Handle), settings);
        (Holder, Guest) = (ScriptedPeer.Client(Wire, holder), ScriptedPeer.Client(Wire, "guest"));
    }

    private protected Wire Wire { get; } = new(new ManualClock());

    private protected LaneEnd Server { get; }

    private protected ScriptedPeer Holder { get; }

    private protected ScriptedPeer Guest { get; }

    /// <summary>The clients that the handler has answered.</summary>
    private protected IEnumerable<string> Served => _served;

    public void Dispose()
    {
        _gate.Set();
        Holder.Dispose();
        Guest.Dispose();
        Server.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>Has a request of the holder take a thread.</summary>
    private protected void Hold()
    {
        Holder.Send("NON [0x0001] GET /slow (Token 0x01)");
        Holder.TakeAll(seconds: 0);
        _isHeld.Wait(Patience).Should().BeTrue();
    }

    /// <summary>Lets the request of the holder go on.</summary>
    private protected void Release()
    {
        Server.DiscardWork();
        _gate.Set();
    }

    /// <summary>Runs the server until a peer has got 2.05.</summary>
    private protected void RunUntilAnswered(ScriptedPeer peer)
    {
        while (!Wire.RunUntil(() => CodesTo(peer).Contains(0x45), TimeSpan.Zero)) { Server.AwaitWork(); }
    }

    /// <summary>The codes of all messages to a peer.</summary>
    private protected IEnumerable<int> CodesTo(ScriptedPeer peer) =>
        Wire.Sent(Direction.ToClient).Where(one => one.To == peer.Self).Select(static one => (int)one.Bytes[1]);

    private CoapResponse Handle(IncomingRequest request)
    {
        if (request.Peer == Holder.Self)
        {
            _isHeld.Set();
            _gate.Wait(Patience);
        }
        _served.Enqueue(request.Peer.ToString());
        return Response.Content("here");
    }
}
