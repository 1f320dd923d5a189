namespace CoAP.Testing.Tests.Networks;

public class ConnectionTranscriptTests
{
    [Fact]
    public async Task Each_message_of_a_connection_has_its_line_between_the_opening_and_the_end()
    {
        var home = new Home();
        home.World.Latency = TimeSpan.FromMilliseconds(50);
        home.World.Run(home.Client.GetAsync("coap+tcp://device/hello"));
        await home.DisposeAsync();

        var lines = home.World.Transcript.Select(entry => entry.ToString()).ToList();

        lines[0].Should().Be("     0.000 client -> device (connection 1): opened");
        lines.Should().ContainSingle(line => line.StartsWith("     0.000 client -> device (connection 1): 7.01 {2: 0x", StringComparison.Ordinal));
        lines.Should().ContainSingle(line => line.Contains("device (connection 1): GET /hello (Token 0x"));
        lines.Should().ContainSingle(line => line.Contains("device -> client (connection 1): 2.05 (Token 0x") && line.EndsWith("{Content-Format: 0} 'Hello!'"));
        home.World.Transcript.Between("client", "device").Should().ContainSingle(entry => entry.Kind == TranscriptEntryKind.Ended);
        home.World.Transcript.Between("device", "client").Should().ContainSingle(entry => entry.Kind == TranscriptEntryKind.Ended);
    }

    [Fact]
    public async Task A_large_message_has_one_line_however_its_bytes_travel()
    {
        await using var home = new Home(resources => resources.At("large").Get((_, _) => new(Response.Content(new string('x', 300_000)))));

        home.World.Run(home.Client.GetAsync("coap+tcp://device/large"));

        var payloads = home.World.Transcript.Select(entry => entry.Message.Split('\'')).Where(parts => parts.Length == 3).Select(parts => parts[1]);
        string.Concat(payloads).Should().Be(new string('x', 300_000));
        home.World.Transcript.Select(entry => entry.Message).Should().NotContain(message => message.Contains(" bytes "));
    }

    [Fact]
    public async Task A_cut_connection_shows_as_broken_in_both_directions()
    {
        await using var home = new Home();
        home.World.Run(home.Client.GetAsync("coap+tcp://device/hello"));

        home.World.Cut("client", "device");

        home.World.Transcript.Where(entry => entry.Kind == TranscriptEntryKind.Broken).Select(entry => (entry.From, entry.Connection))
            .Should().BeEquivalentTo([("client", 1), ("device", 1)]);
    }

    [Fact]
    public async Task The_same_seed_gives_the_same_transcript_over_connections()
    {
        for (var seed = 0; seed < 20; seed++) { (await RunAsync(seed)).Should().Be(await RunAsync(seed)); }
        (await RunAsync(1)).Should().NotBe(await RunAsync(2));
    }

    private static async Task<string> RunAsync(int seed)
    {
        var home = new Home(resources =>
        {
            resources.At("echo/{number}").Get((request, _) => new(Response.Content(request["number"])));
            resources.At("large").Put((request, _) => new(Response.Content(new string('y', request.Payload.Length))), HandlerMode.Buffered);
        }, seed);
        await using var other = new CoapClient(home.World.Place(new CoapClientSettings()));
        home.World.Latency = TimeSpan.FromMilliseconds(20);
        Task[] calls =
        [
            .. Enumerable.Range(0, 5).Select(number => (number % 2 == 0 ? home.Client : other).GetAsync($"coap+tcp://device/echo/{number}").AsTask()),
            other.PutAsync("coap+tcp://device/large", new string('x', 100_000)).AsTask(),
        ];
        home.World.Run(Task.WhenAll(calls));
        home.World.Cut("client", "device");
        home.World.RunUntilIdle();
        home.World.Run(home.Client.GetAsync("coap+tcp://device/hello"));
        await home.DisposeAsync();
        return $"{home.World.Transcript}\n{home.World.Clock.Elapsed}";
    }
}
