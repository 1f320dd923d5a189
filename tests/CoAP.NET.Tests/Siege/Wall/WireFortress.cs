using System.Net;
using CoAP.Accounting;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>A server over datagrams, in simulated time.</summary>
internal sealed class WireFortress : Fortress
{
    // An observer that has proven its address is asked after a day whether it still exists.
    private static readonly TimeSpan LongEnough = TimeSpan.FromHours(25);

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;

    public WireFortress(Limit limit) => _server = LaneEnd.Server(_wire, Map, limit.Apply(Settings, this), limit.StepsOf(this));

    public override Ledger Ledger => _server.Lane.Ledger;

    public override Task<Guest> AdmitAsync(IPEndPoint address) => Task.FromResult<Guest>(new WireGuest(_wire, _server, address));

    public override Task RunUntilAsync(Func<bool> isDone)
    {
        _wire.RunFor(LongEnough);
        Await(() => RunAndAsk(isDone), () => string.Join(", ", Ledger.Books.Select(static one => $"{one.Resource}: {one.Book.Used}")));
        return Task.CompletedTask;
    }

    public override ValueTask DisposeAsync()
    {
        OpenAll();
        _server.Dispose();
        return default;
    }

    // Other threads may have work for the lane still.
    private bool RunAndAsk(Func<bool> isDone)
    {
        _wire.RunUntilIdle(TimeSpan.Zero);
        return isDone();
    }
}
