using CoAP.Tests.Exchanges;
using CoAP.TestSupport;

namespace CoAP.Tests.Server;

/// <summary>The list of a server's channels, and the events of their life.</summary>
public sealed class ChannelsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task The_list_is_empty_before_the_start_and_after_the_end()
    {
        var pair = new InMemoryPair();
        var before = pair.Server.GetChannels().Count() + await pair.Server.GetChannelsAsync().CountAsync();
        await pair.AskAsync("coap+tcp", "hello");
        await pair.DisposeAsync();

        var after = pair.Server.GetChannels().Count() + await pair.Server.GetChannelsAsync().CountAsync();

        (before, after).Should().Be((0, 0));
    }

    [Fact]
    public async Task A_connection_is_listed_and_a_plain_datagram_peer_is_not()
    {
        await using var pair = new InMemoryPair();
        await pair.AskAsync("coap", "hello");
        pair.Server.GetChannels().Should().BeEmpty();
        await pair.AskAsync("coap+tcp", "hello");

        var listed = pair.Server.GetChannels().Should().ContainSingle().Which;

        (listed.Scheme, listed.Identity, listed.Peer.IsNone, listed.Local.ToString()).Should().Be((CoapScheme.CoapTcp, null, false, "server"));
        listed.Age.Should().BeLessThan(Patience).And.BeGreaterThanOrEqualTo(listed.SinceLastContact);
        (await pair.Server.GetChannelsAsync().ToListAsync()).Select(static one => one.Peer).Should().Equal(listed.Peer);
    }

    [Fact]
    public async Task Events_tell_of_the_beginning_and_the_end_of_a_connection()
    {
        var (opened, closed) = (Source<ChannelEventArgs>(), Source<ChannelEventArgs>());
        await using var pair = new InMemoryPair();
        pair.Server.ChannelOpened += (_, args) => opened.TrySetResult(args);
        pair.Server.ChannelClosed += (_, args) => closed.TrySetResult(args);

        await pair.AskAsync("coap+tcp", "hello");
        var first = await opened.Task.WaitAsync(Patience);
        closed.Task.IsCompleted.Should().BeFalse();
        await pair.Client.DisposeAsync();

        (await closed.Task.WaitAsync(Patience)).Channel.Peer.Should().Be(first.Channel.Peer);
    }

    [Fact]
    public async Task The_end_of_the_server_closes_its_channels()
    {
        var closed = Source<ChannelEventArgs>();
        await using var pair = new InMemoryPair();
        pair.Server.ChannelClosed += (_, args) => closed.TrySetResult(args);
        await pair.AskAsync("coap+tcp", "hello");

        await pair.Server.DisposeAsync();

        (await closed.Task.WaitAsync(Patience)).Channel.Scheme.Should().Be(CoapScheme.CoapTcp);
        pair.Server.Invoking(static server => server.ChannelOpened += static (_, _) => { }).Should().NotThrow();
    }

    [Fact]
    public async Task A_subscriber_that_fails_does_not_disturb_the_requests()
    {
        using var log = new TestLog();
        await using var pair = new InMemoryPair(settings => settings with { LoggerFactory = log });
        pair.Server.ChannelOpened += static (_, _) => throw new InvalidOperationException("broken");
        pair.Server.Resources.At("hello").Get(_ => Response.Content("world"));

        (await pair.AskAsync("coap+tcp", "hello")).PayloadText.Should().Be("world");

        (await log.FirstError.WaitAsync(Patience)).Should().Contain("ChannelOpened");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_token_of_a_connection_fires_on_both_sides(bool isServerFirst)
    {
        var (ofServer, ofClient) = (Source<IChannel>(), Source<IChannel>());
        await using var pair = new InMemoryPair();
        pair.Server.Resources.At("back").Get(async (request, cancellationToken) =>
        {
            ofServer.TrySetResult(request.Channel);
            return await request.Channel.GetAsync("/me", cancellationToken);
        });
        pair.Client.Resources.At("me").Get(request =>
        {
            ofClient.TrySetResult(request.Channel);
            return Response.Content("client");
        });
        await pair.AskAsync("coap+tcp", "back");
        CancellationToken[] tokens = [(await ofServer.Task).Closed, (await ofClient.Task).Closed];
        tokens.Should().OnlyContain(static token => !token.IsCancellationRequested);

        if (isServerFirst) { await pair.Server.DisposeAsync(); }
        else { await pair.Client.DisposeAsync(); }

        foreach (var token in tokens) { await FiredAsync(token); }
    }

    [Fact]
    public async Task The_token_of_plain_datagrams_fires_when_the_endpoint_stops()
    {
        var channel = Source<IChannel>();
        await using var pair = new InMemoryPair();
        pair.Server.Resources.At("hello").Get(request =>
        {
            channel.TrySetResult(request.Channel);
            return Response.Content("world");
        });
        await pair.AskAsync("coap", "hello");
        var closed = (await channel.Task).Closed;
        closed.IsCancellationRequested.Should().BeFalse();

        await pair.Server.DisposeAsync();

        await FiredAsync(closed);
    }

    [Fact]
    public void A_channel_of_another_implementation_never_closes()
    {
        IChannel other = new Other();

        other.Closed.CanBeCanceled.Should().BeFalse();
    }

    internal static async Task FiredAsync(CancellationToken token)
    {
        var fired = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = token.Register(() => fired.TrySetResult());
        await fired.Task.WaitAsync(Patience, CancellationToken.None);
    }

    private static TaskCompletionSource<T> Source<T>() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private sealed class Other : IChannel
    {
        public PeerIdentity Peer => default;

        public PeerIdentity Local => default;

        public bool IsReliable => false;

        public bool IsClosed => false;

        public ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default) => new(Response.Changed);

        public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default) => Response.Changed;

        public ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default) => throw new NotSupportedException();

        public Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default) => throw new NotSupportedException();
    }
}
