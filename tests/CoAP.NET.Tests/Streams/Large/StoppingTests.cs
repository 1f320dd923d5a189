using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>The end of a server while a large answer is half written.</summary>
public sealed class StoppingTests : IAsyncDisposable
{
    private const int Large = 1_000_000;
    private const string GetLarge = "d0 03 01 b5 6c61726765 49 6e3d31303030303030";      // GET large?n=1000000
    private static readonly TimeSpan ShutdownTimeout = TimeSpan.FromMinutes(1);

    private readonly ManualClock _time = new();
    private readonly StreamHost _host;

    public StoppingTests() => _host = new StreamHost(settings => settings with
    {
        TimeProvider = _time,
        ShutdownTimeout = ShutdownTimeout,
        Tcp = new TcpSettings { SendTimeout = TimeSpan.FromHours(20) },
        Stream = new StreamSettings { MaxMessageSize = 4 << 20, AbortAboveSize = 4 << 20, MaxUnreadSize = 4 << 20, IdleTimeout = null, PingInterval = null },
    });

    public async ValueTask DisposeAsync() => await _time.PassAsync(_host.DisposeAsync().AsTask());

    [Fact]
    public async Task Accepted_messages_are_written_completely_before_the_connection_closes()
    {
        using var peer = await HalfAnsweredAsync();

        var stopping = _host.Server.StopAsync();
        await _time.PassAsync(stopping, TimeSpan.FromSeconds(4));
        var answer = await peer.ReadAsync();
        var last = await peer.ReadAsync();
        peer.EndSending();
        await _time.PassAsync(stopping);

        answer.Should().HaveLength(2 * (Large + 6 + 1));
        last.Should().StartWith("d012e4", "a Release with the reason follows");
        _time.Elapsed.Should().BeLessThan(ShutdownTimeout, "nothing is left to wait for");
    }

    [Fact]
    public async Task A_peer_that_reads_nothing_is_waited_for_no_longer_than_was_set()
    {
        using var peer = await HalfAnsweredAsync();

        var stopping = _host.Server.StopAsync();
        await _time.PassAsync(stopping);

        _time.Elapsed.Should().BeGreaterOrEqualTo(ShutdownTimeout).And.BeLessThan(TimeSpan.FromHours(1));
    }

    private async Task<RawPeer> HalfAnsweredAsync()
    {
        var peer = RawPeer.Connect(_host.Network, StreamHost.Name);
        peer.Send("50 e1 24 01000000");                         // 16,777,216
        await peer.ReadAsync();
        peer.Send(GetLarge);
        await LargeClient.StuckAsync(peer);
        return peer;
    }
}
