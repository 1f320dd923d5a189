using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>What happens on a connection because time passes.</summary>
public sealed class StreamTimeTests : IAsyncDisposable
{
    private readonly ManualClock _time = new();
    private readonly StreamHost _host;

    public StreamTimeTests() => _host = new StreamHost(settings => settings with
    {
        TimeProvider = _time,
        Stream = new StreamSettings { PingInterval = TimeSpan.FromMinutes(1), IdleTimeout = TimeSpan.FromMinutes(10) },
    });

    public async ValueTask DisposeAsync() => await _time.PassAsync(_host.DisposeAsync().AsTask());

    [Fact]
    [Trait("RFC", "8323 5.3")]
    public async Task Without_a_CSM_in_time_the_connection_is_aborted()
    {
        using var peer = RawPeer.Connect(_host.Network, StreamHost.Name);
        await peer.ReadAsync();

        var abort = await _time.PassAsync(peer.ReadAsync());

        abort.Should().Contain("e5ff" + Hex.Text("No CSM arrived within 10 s."u8));
        _time.Elapsed.Should().BeGreaterOrEqualTo(TimeSpan.FromSeconds(10));
    }

    [Fact]
    [Trait("RFC", "8323 5.4")]
    public async Task A_silent_peer_is_asked_by_a_ping_and_closed_when_it_does_not_answer()
    {
        using var peer = await _host.OpenAsync();

        var ping = await _time.PassAsync(peer.ReadAsync());
        var end = await _time.PassAsync(peer.ReadAsync());

        ping.Should().StartWith("02e2");
        end.Should().BeNull();
        _time.Elapsed.Should().BeGreaterOrEqualTo(TimeSpan.FromSeconds(90));
    }

    [Fact]
    public async Task A_message_that_does_not_get_on_is_aborted()
    {
        using var peer = await _host.OpenAsync();
        peer.Send("01 e2 42  d1 20 01");
        await peer.ReadAsync();

        var abort = await _time.PassAsync(peer.ReadAsync());

        abort.Should().Contain("e5ff" + Hex.Text("A message was not complete within 60 s."u8));
    }
}
