using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>A server on a connection, against the bytes of RFC 8323.</summary>
public sealed class StreamServerTests : IAsyncDisposable
{
    private const string GetHi = """
        31 01 7a        # Len 3, TKL 1, GET, token 7a
        b2 68 69        # Uri-Path "hi"

        """;
    private const string Hi = "41457ac0ff6869";    // Len 4, TKL 1, 2.05, token 7a, Content-Format 0, "hi"

    private readonly StreamHost _host = new();

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Fact]
    [Trait("RFC", "8323 3.3")]
    [Trait("RFC", "8323 5.3")]
    public async Task The_first_message_is_a_CSM_and_does_not_wait_for_the_peers()
    {
        using var peer = RawPeer.Connect(_host.Network, StreamHost.Name);

        var first = await peer.ReadAsync();

        first.Should().Be("50e1" + "23010000" + "20", "7.01 with Max-Message-Size 65,536 and Block-Wise-Transfer");
    }

    [Fact]
    [Trait("RFC", "8323 3.2")]
    public async Task A_request_gets_its_response_with_the_same_token()
    {
        using var peer = await _host.OpenAsync();

        peer.Send(GetHi);

        (await peer.ReadAsync()).Should().Be(Hi);
    }

    [Fact]
    [Trait("RFC", "8323 5.4")]
    public async Task A_ping_gets_a_pong_with_the_same_token()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("01 e2 42");

        (await peer.ReadAsync()).Should().Be("01e342");
    }

    [Fact]
    [Trait("RFC", "8323 5.4.1")]
    public async Task A_pong_with_custody_comes_after_the_answers_to_what_came_before_the_ping()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("71 01 01 b4 77616974 01 61");    // GET wait/a
        peer.Send("11 e2 42 20");                   // Ping with Custody
        peer.Send("01 e2 43");                      // Ping without
        var first = await peer.ReadAsync();
        _host.Gate("a").SetResult();
        var rest = await peer.ReadAsync(2);

        first.Should().Be("01e343");
        rest.Should().Equal("314501c0ff61", "11e34220");
    }

    [Fact]
    [Trait("RFC", "8323 3.4")]
    public async Task Empty_messages_are_ignored()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("00 00  00 00" + GetHi);

        (await peer.ReadAsync()).Should().Be(Hi);
    }

    [Fact]
    [Trait("RFC", "7252 5.4.1")]
    public async Task An_unknown_critical_option_in_a_request_gets_4_02_and_the_connection_lives_on()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("21 01 05 d0 f4");    // option 257 (13 + 244), empty
        var refusal = await peer.ReadAsync();
        peer.Send(GetHi);

        refusal.Should().Contain("8205");
        (await peer.ReadAsync()).Should().Be(Hi);
    }

    [Fact]
    public async Task Many_messages_in_one_segment_are_answered_in_order()
    {
        using var peer = await _host.OpenAsync();
        var requests = Enumerable.Range(0, 200).Select(token => $"31 01 {token:x2} b2 6869");

        peer.Send(string.Concat(requests));
        var answers = await peer.ReadAsync(200);

        answers.Should().Equal(Enumerable.Range(0, 200).Select(token => $"4145{token:x2}c0ff6869"));
    }

    [Fact]
    public async Task Byte_by_byte_gives_the_same_result()
    {
        using var peer = RawPeer.Connect(_host.Network, StreamHost.Name);
        await peer.ReadAsync();

        foreach (var one in Hex.Bytes("00 e1" + GetHi + "01 e2 42 00 00" + GetHi)) { peer.Send([one]).Should().BeTrue(); }

        (await peer.ReadAsync(3)).Should().Equal(Hi, "01e342", Hi);
    }

    [Fact]
    public async Task After_the_peer_ended_its_direction_its_requests_are_still_answered()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("71 01 01 b4 77616974 01 61");    // GET wait/a
        peer.EndSending();
        _host.Gate("a").SetResult();

        (await peer.ReadAsync(2)).Should().Equal("314501c0ff61", null);
    }

    [Fact]
    public async Task An_incomplete_message_before_the_end_affects_no_other_peer()
    {
        using var other = await _host.OpenAsync();
        using (var peer = await _host.OpenAsync()) { peer.Send("d1 20 01 01 b2"); }

        other.Send(GetHi);

        (await other.ReadAsync()).Should().Be(Hi);
    }

    [Fact]
    [Trait("RFC", "8323 5.3.1"), Trait("RFC", "8323 5.3.2")]
    public async Task A_response_larger_than_the_peer_takes_is_sent_in_blocks_although_the_peer_has_not_announced_them()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("d1 00 01 01 b5 6c61726765 46 6e3d32303030");    // GET large?n=2000, against 1,152

        var answer = Convert.FromHexString((await peer.ReadAsync())!);
        (answer[3], answer[4]).Should().Be(((byte)0x45, (byte)0x01));
        answer.Length.Should().BeInRange(1024, 1152);
    }

    [Fact]
    [Trait("RFC", "8323 5.5")]
    public async Task A_release_of_the_peer_is_obeyed_once_its_requests_are_answered()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("71 01 01 b4 77616974 01 61  00 e4");    // GET wait/a, Release
        _host.Gate("a").SetResult();

        (await peer.ReadAsync(2)).Should().Equal("314501c0ff61", null);
    }

    [Fact]
    [Trait("RFC", "8323 5.5")]
    public async Task A_server_that_ends_releases_its_connections()
    {
        using var peer = await _host.OpenAsync();

        var ending = _host.Server.StopAsync();
        var release = await peer.ReadAsync();
        var end = await peer.ReadAsync();
        peer.Dispose();
        await ending.WaitAsync(RawPeer.Patience);

        release.Should().Match("*e4*");
        end.Should().BeNull();
    }

    [Fact]
    public async Task A_server_that_ends_answers_what_it_had_accepted_first()
    {
        using var peer = await _host.OpenAsync();
        peer.Send("71 01 01 b4 77616974 01 61  01 e2 42");    // GET wait/a, Ping
        await peer.ReadAsync();

        var ending = _host.Server.StopAsync();
        _host.Gate("a").SetResult();
        var answer = await peer.ReadAsync();
        peer.Dispose();
        await ending.WaitAsync(RawPeer.Patience);

        answer.Should().Be("314501c0ff61");
    }
}
