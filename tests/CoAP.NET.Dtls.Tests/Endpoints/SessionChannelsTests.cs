namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>What the server tells of its sessions: the list, the events, the tokens and the user.</summary>
public sealed class SessionChannelsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);
    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    [Theory, InlineData(true), InlineData(false)]
    public async Task A_session_is_listed_with_its_identity(bool isInMemory)
    {
        await using var pair = Make(isInMemory);
        pair.Server.GetChannels().Should().BeEmpty();
        await pair.Client.GetAsync(pair.Origin + "/who");

        var listed = pair.Server.GetChannels().Should().ContainSingle().Which;

        (listed.Scheme, listed.Identity).Should().Be((CoapScheme.Coaps, "key device-7"));
        listed.Age.Should().BeLessThan(Patience).And.BeGreaterThanOrEqualTo(listed.SinceLastContact);
        (await pair.Server.GetChannelsAsync().ToListAsync()).Should().ContainSingle().Which.Peer.Should().Be(listed.Peer);
    }

    [Fact]
    public async Task The_end_of_a_session_raises_an_event_and_fires_its_tokens()
    {
        var closed = Source<ChannelEventArgs>();
        var seen = Source<IncomingRequest>();
        await using var pair = Make(isInMemory: true);
        pair.Server.ChannelClosed += (_, args) => closed.TrySetResult(args);
        pair.Server.Resources.At("seen").Get(request =>
        {
            seen.TrySetResult(request);
            return Response.Content("seen");
        });
        await pair.Client.GetAsync(pair.Origin + "/seen");
        var request = await seen.Task;
        var (ofChannel, ofRequest) = (request.Channel.Closed, request.RequestAborted);
        (ofChannel.IsCancellationRequested, ofRequest.IsCancellationRequested).Should().Be((false, false));

        await pair.Client.DisposeAsync();

        (await closed.Task.WaitAsync(Patience)).Channel.Peer.Should().Be(request.Peer);
        await FiredAsync(ofChannel);
        await FiredAsync(ofRequest);
        await FiredAsync(request.Channel.Closed);       // asked for after the end
    }

    [Fact]
    public async Task A_handler_stops_when_the_session_ends()
    {
        var (entered, stopped) = (Source<bool>(), Source<bool>());
        await using var pair = Make(isInMemory: true);
        pair.Server.Resources.At("slow").Get(async (_, cancellationToken) =>
        {
            using var registration = cancellationToken.Register(() => stopped.TrySetResult(true));
            entered.TrySetResult(true);
            await stopped.Task;
            return Response.Changed;
        });
        _ = pair.Client.GetAsync(pair.Origin + "/slow").AsTask();
        await entered.Task.WaitAsync(Patience);

        await pair.Client.DisposeAsync();

        await stopped.Task.WaitAsync(Patience);
    }

    [Fact]
    public async Task An_inline_handler_cannot_list_the_sessions_of_its_own_lane()
    {
        await using var pair = Make(isInMemory: true);
        pair.Server.Resources.At("list").Get(
            _ =>
            {
                try { return Response.Content($"{pair.Server.GetChannels().Count()}"); }
                catch (InvalidOperationException exception) { return Response.Content(exception.Message); }
            },
            HandlerMode.Inline);
        pair.Server.Resources.At("wait").Get(async (_, cancellationToken) =>
            Response.Content($"{await pair.Server.GetChannelsAsync(cancellationToken).CountAsync(cancellationToken)}"));

        (await pair.Client.GetAsync(pair.Origin + "/list")).PayloadText.Should().Contain("GetChannelsAsync");
        (await pair.Client.GetAsync(pair.Origin + "/wait")).PayloadText.Should().Be("1");
    }

    [Fact]
    public async Task The_user_is_that_of_the_key()
    {
        await using var pair = Make(isInMemory: true);
        pair.Server.Resources.At("user").Get(request => Response.Content($"{request.User.Identity!.AuthenticationType} {request.User.Identity.Name}"));

        (await pair.Client.GetAsync(pair.Origin + "/user")).PayloadText.Should().Be("PreSharedKey device-7");
    }

    private static SecuredPair Make(bool isInMemory) => new(new() { PreSharedKeys = PskStore.From(Key) }, new() { PreSharedKey = Key }, isInMemory);

    private static TaskCompletionSource<T> Source<T>() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static async Task FiredAsync(CancellationToken token)
    {
        var fired = Source<bool>();
        using var registration = token.Register(() => fired.TrySetResult(true));
        await fired.Task.WaitAsync(Patience, CancellationToken.None);
    }
}
