namespace CoAP.Testing.Tests.Networks;

public class DeterminismTests
{
    [Fact]
    public async Task Fifty_seeds_give_the_same_transcripts_twice()
    {
        for (var seed = 0; seed < 50; seed++) { (await RunAsync(seed)).Should().Be(await RunAsync(seed)); }
    }

    [Fact]
    public async Task Another_seed_gives_another_transcript() => (await RunAsync(1)).Should().NotBe(await RunAsync(2));

    private static async Task<string> RunAsync(int seed)
    {
        await using var home = new Home(Map, seed);
        home.World.Conditions = new() { Latency = TimeSpan.FromMilliseconds(50), Jitter = TimeSpan.FromMilliseconds(40), Loss = 0.2, Duplication = 0.1 };
        Task[] calls = [];
        home.World.Run(async () =>
        {
            // Calls that begin here are known to the network. For others, the clock would wait for threads in real time.
            calls =
            [
                .. Enumerable.Range(0, 5).Select(number => home.Client.GetAsync($"coap://device/echo/{number}").AsTask()),
                home.Client.GetAsync("coap://device/slow").AsTask(),
                home.Client.PutAsync("coap://device/large", new string('x', 5_000)).AsTask(),
            ];
            try { await Task.WhenAll(calls); }
            catch (CoapException) { }
        });
        home.World.RunUntilIdle();
        return $"{home.World.Transcript}\n{string.Join(' ', calls.Select(call => call.Status))} {home.World.Clock.Elapsed}";
    }

    private static void Map(ResourceMap resources)
    {
        resources.At("echo/{number}").Get((request, _) => new(Response.Content(request["number"])));
        resources.At("slow").Get(
            async (_, cancellationToken) =>
            {
                await Task.Yield();
                return Response.Content("slow");
            },
            HandlerMode.Buffered);
        resources.At("large").Put((_, _) => new(Response.Changed), HandlerMode.Buffered);
    }
}
