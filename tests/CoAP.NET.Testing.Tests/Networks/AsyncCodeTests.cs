using System.Net;

namespace CoAP.Testing.Tests.Networks;

/// <summary>User code that awaits continues on the thread that runs the network, so that two runs are the same.</summary>
public class AsyncCodeTests
{
    private readonly List<int> _threads = [];

    [Theory]
    [InlineData("coap")]
    [InlineData("coap+tcp")]
    public async Task Authorizers_that_await_give_the_same_transcript_twice(string scheme)
    {
        (await RunAsync(Ask)).Should().Be(await RunAsync(Ask));
        _threads.Should().NotBeEmpty().And.AllBeEquivalentTo(Environment.CurrentManagedThreadId);

        async Task<string> Ask(Home home)
        {
            home.Server.Resources.At("hello").Authorize(DecideAsync).Authorize(DecideAsync);
            await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => home.Client.GetAsync($"{scheme}://device/hello").AsTask()));
            return "";
        }

        async ValueTask<AuthorizationDecision> DecideAsync(RequestHead request, CancellationToken cancellationToken)
        {
            await Task.Yield();
            _threads.Add(Environment.CurrentManagedThreadId);
            return AuthorizationDecision.Allow();
        }
    }

    [Theory]
    [InlineData("coap")]
    [InlineData("coap+tcp")]
    public async Task Streams_that_are_read_while_they_are_sent_give_the_same_transcript_twice(string scheme)
    {
        (await RunAsync(Download)).Should().Be(await RunAsync(Download));
        _threads.Should().HaveCountGreaterThan(2).And.AllBeEquivalentTo(Environment.CurrentManagedThreadId);

        async Task<string> Download(Home home)
        {
            home.Server.Resources.At("file").Get((_, _) => new(Response.Content(new WaitingStream(new byte[5_000], home.World.Clock, _threads), ContentFormats.OctetStream)));
            return $"{(await home.Client.GetAsync($"{scheme}://device/file")).Payload.Length}";
        }
    }

    [Fact]
    public async Task Responses_of_a_group_give_the_same_transcript_twice()
    {
        (await RunAsync(AskGroupAsync)).Should().Be(await RunAsync(AskGroupAsync));
        _threads.Should().HaveCountGreaterThanOrEqualTo(6).And.AllBeEquivalentTo(Environment.CurrentManagedThreadId);
    }

    private async Task<string> AskGroupAsync(Home home)
    {
        foreach (var name in new[] { "lamp-1", "lamp-2", "lamp-3" })
        {
            var lamp = new CoapServer(home.World.Place(new CoapServerSettings { Multicast = new MulticastSettings { Groups = [IPAddress.Parse("224.0.1.187")] } }, name));
            lamp.Resources.At("state").Get((_, _) => new(Response.Content(name))).AnswersMulticast();
            lamp.Start();
        }
        List<string> answers = [];
        await foreach (var response in home.Client.MulticastAsync("coap://224.0.1.187/state", TimeSpan.FromSeconds(10)))
        {
            _threads.Add(Environment.CurrentManagedThreadId);
            answers.Add($"{response.Remote} {response.PayloadText} {home.World.Clock.Elapsed}");
        }
        answers.Should().HaveCount(3);
        return string.Join('\n', answers);
    }

    private static async Task<string> RunAsync(Func<Home, Task<string>> code)
    {
        await using var home = new Home();
        home.World.Conditions = new() { Latency = TimeSpan.FromMilliseconds(30), Jitter = TimeSpan.FromMilliseconds(20) };
        var result = home.World.Run(() => code(home));
        home.World.RunUntilIdle();
        return $"{result}\n{home.World.Transcript}\n{home.World.Clock.Elapsed}";
    }

    /// <summary>A stream whose reads wait: for simulated time, and for the scheduler of the calling code.</summary>
    private sealed class WaitingStream(byte[] bytes, TimeProvider clock, List<int> threads) : MemoryStream(bytes)
    {
        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(10), clock, cancellationToken);
            await Task.Yield();
            threads.Add(Environment.CurrentManagedThreadId);
            return Read(buffer.Span);
        }
    }
}
