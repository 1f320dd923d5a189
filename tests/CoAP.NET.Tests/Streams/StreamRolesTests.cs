namespace CoAP.Tests.Streams;

/// <summary>Client and server back to back on an in-memory network: both roles on each association.</summary>
public sealed class StreamRolesTests : IAsyncDisposable
{
    private readonly StreamHost _host = new();
    private readonly CoapClient _device;
    private readonly TaskCompletionSource<IncomingRequest> _hello = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public StreamRolesTests()
    {
        _device = _host.Client();
        _device.Resources.At("state").Get((_, _) => new(Response.Content("on")));
        _host.Server.Resources.At("hello").Post((request, _) =>
        {
            _hello.TrySetResult(request);
            return new(Response.Changed);
        });
        _host.Server.Resources.At("ask").Get(async (request, cancellationToken) =>
            await request.Channel.SendAsync(new CoapRequest(RequestCode.Get, "/state"), cancellationToken));
    }

    public async ValueTask DisposeAsync()
    {
        await _device.DisposeAsync();
        await _host.DisposeAsync();
    }

    [Theory]
    [InlineData("coap")]
    [InlineData("coap+tcp")]
    public async Task A_server_sends_requests_over_the_association_that_the_device_opened(string scheme)
    {
        (await _device.PostAsync($"{scheme}://server/hello", default)).Code.Should().Be(ResponseCode.Changed);
        var request = await _hello.Task.WaitAsync(RawPeer.Patience);

        var overChannel = await request.Channel.SendAsync(new CoapRequest(RequestCode.Get, "/state"));
        var overPeer = await Task.Run(() => _host.Server.OpenChannel(request.Peer).Send(new CoapRequest(RequestCode.Get, "/state")));

        overChannel.PayloadText.Should().Be("on");
        overPeer.PayloadText.Should().Be("on");
        request.Channel.IsReliable.Should().Be(scheme == "coap+tcp");
    }

    [Fact]
    public async Task A_handler_asks_the_device_while_the_device_waits_for_it()
    {
        var answer = await _device.GetAsync("coap+tcp://server/ask").AsTask().WaitAsync(RawPeer.Patience);

        answer.PayloadText.Should().Be("on");
    }

    [Fact]
    public async Task The_channel_of_a_request_ends_with_its_connection()
    {
        await _device.PostAsync("coap+tcp://server/hello", default);
        var channel = (await _hello.Task).Channel;

        await _device.DisposeAsync();
        var late = async () => await channel.SendAsync(new CoapRequest(RequestCode.Get, "/state")).AsTask().WaitAsync(RawPeer.Patience);

        await late.Should().ThrowAsync<CoapTransportException>();
        channel.IsClosed.Should().BeTrue();
    }

    [Fact]
    public async Task Sixty_four_requests_on_one_connection_are_answered_in_reverse_order()
    {
        var calls = Enumerable.Range(0, 64).Select(index => _device.GetAsync($"coap+tcp://server/wait/{index}").AsTask()).ToArray();

        for (var index = 63; index >= 0; index--)
        {
            _host.Gate($"{index}").SetResult();
            (await calls[index].WaitAsync(RawPeer.Patience)).PayloadText.Should().Be($"{index}");
        }
    }
}
