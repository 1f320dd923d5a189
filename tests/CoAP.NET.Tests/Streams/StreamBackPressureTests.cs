using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>Peers that ask for more than they take, or for more than there is room for.</summary>
public sealed class StreamBackPressureTests
{
    private const string GetLarge = "d1 01 01 01 b5 6c61726765 47 6e3d38303030 30";     // GET large?n=80000

    [Fact]
    public async Task A_peer_that_takes_no_answers_is_read_no_further()
    {
        await using var host = new StreamHost();
        using var peer = RawPeer.Connect(host.Network, StreamHost.Name);
        peer.Send("40 e1 23 020000");                               // Max-Message-Size 131,072
        var request = Hex.Bytes(GetLarge);
        const int Requests = 20_000;

        var sending = peer.SendAsync(Enumerable.Repeat(request, Requests).SelectMany(bytes => bytes).ToArray());
        await peer.ReadAsync();
        var answers = 0;
        while (answers < 100 && await peer.ReadAsync() is { } answer)
        {
            answer.Length.Should().Be(2 * (80_000 + 6 + 1 + 1));
            answers++;
        }

        // 64 KiB are on their way to the server and 64 KiB in its hands: of the 380,000 bytes it has not taken the rest.
        sending.IsCompleted.Should().BeFalse();
    }

    [Theory]
    [InlineData(1, "a3 d10101")]    // GET: 5.03 with Max-Age, so the client may ask again
    [InlineData(2, "a0 ff")]        // POST: 5.00 with an explanation, because the handler has run
    public async Task Responses_that_exceed_the_unsent_bytes_together_become_errors_and_the_connection_stays(byte method, string error)
    {
        const int Requests = 300, Size = 80_000;
        await using var host = new StreamHost();
        var handler = new RequestDelegate(async (_, _) =>
        {
            await host.Gate("all").Task;
            return new CoapResponse(ResponseCode.Content) { Payload = new byte[Size] };
        });
        host.Server.Resources.At("burst").Get(handler).Post(handler);
        using var peer = RawPeer.Connect(host.Network, StreamHost.Name);
        peer.Send("40 e1 23 020000");                               // Max-Message-Size 131,072
        await peer.ReadAsync();

        peer.Send(string.Concat(Enumerable.Repeat($"60 {method:x2} b5 6275727374", Requests)) + "01 e2 42");
        (await peer.ReadAsync()).Should().Be("01e342", "all requests are in progress");
        host.Gate("all").SetResult();
        var answers = await peer.ReadAsync(Requests);

        answers.Should().NotContainNulls("the connection stays open");
        answers.Count(answer => answer!.Length > 2 * Size).Should().BeInRange((16 << 20) / (Size + 10), Requests - 50);
        answers.Where(answer => answer!.Length < 2 * Size).Should().OnlyContain(answer => answer!.Contains(error.Replace(" ", ""), StringComparison.Ordinal));
        peer.Send("01 e2 43");
        (await peer.ReadAsync()).Should().Be("01e343");
    }

    [Fact]
    public async Task A_registration_whose_response_becomes_an_error_is_no_observation()
    {
        const int Requests = 300, Size = 80_000;
        await using var host = new StreamHost();
        var resource = host.Server.Resources.At("burst").Observable().Get(async (_, _) =>
        {
            await host.Gate("all").Task;
            return new CoapResponse(ResponseCode.Content) { Payload = new byte[Size] };
        });
        using var peer = RawPeer.Connect(host.Network, StreamHost.Name);
        peer.Send("40 e1 23 020000");                               // Max-Message-Size 131,072
        await peer.ReadAsync();

        peer.Send(string.Concat(Enumerable.Range(0, Requests).Select(static token => $"72 01 {token:x4} 60 55 6275727374")) + "01 e2 42");
        await peer.ReadAsync();
        host.Gate("all").SetResult();
        var answers = await peer.ReadAsync(Requests);

        resource.ObserverCount.Should().Be(answers.Count(static answer => answer!.Length > 2 * Size)).And.BeLessThan(Requests);
    }

    [Fact]
    public async Task A_connection_with_enough_requests_in_progress_is_read_no_further_until_one_is_answered()
    {
        await using var host = new StreamHost(settings => settings with { Stream = new StreamSettings { MaxRequestsInProgress = 2 } });
        using var peer = await host.OpenAsync();
        using var other = await host.OpenAsync();

        for (var token = 0; token < 2; token++) { peer.Send($"71 01 {token:x2} b4 77616974 01 {0x61 + token:x2}"); }    // GET wait/a and wait/b
        peer.Send("01 e2 42");
        other.Send("01 e2 43");
        var ofOther = await other.ReadAsync();
        host.Gate("b").SetResult();

        ofOther.Should().Be("01e343", "other connections go on");
        (await peer.ReadAsync(2)).Should().Equal("314501c0ff62", "01e342");
    }

    [Fact]
    public async Task A_peer_above_its_share_gets_4_29_until_a_handler_has_returned()
    {
        await using var host = new StreamHost(settings => settings with { MaxPendingRequests = 8 });
        using var peer = await host.OpenAsync();

        for (var token = 0; token < 8; token++) { peer.Send($"71 01 {token:x2} b4 77616974 01 {0x61 + token:x2}"); }    // GET wait/a to wait/h
        peer.Send("01 e2 42");
        var refused = await peer.ReadAsync(5);
        host.Gate("a").SetResult();
        var first = await peer.ReadAsync();
        peer.Send("71 01 09 b4 77616974 01 69");        // GET wait/i
        foreach (var gate in "bcdi") { host.Gate($"{gate}").SetResult(); }
        var rest = await peer.ReadAsync(4);

        refused.Should().Equal("319d04d10101", "319d05d10101", "319d06d10101", "319d07d10101", "01e342");
        first.Should().StartWith("314500");
        rest.Should().OnlyHaveUniqueItems().And.OnlyContain(static one => one!.StartsWith("3145", StringComparison.Ordinal));
    }
}
