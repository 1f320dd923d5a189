using System.Net;
using CoAP.Exchanges;

namespace CoAP.Tests.Exchanges;

/// <summary>Which channels are opened for a request, and when it goes to another one.</summary>
public sealed class ClientRouterTests
{
    private static readonly CoapResponse Answer = new(ResponseCode.Content);

    private readonly Source _source = new();
    private int _resolved;

    private ClientRouter Router => new(new AddressBook(TimeSpan.FromMinutes(5), TimeProvider.System, Resolve), () => _source);

    [Theory]
    [InlineData(true), InlineData(false)]
    public async Task Opens_the_place_of_a_name_and_composes_the_request_for_it(bool isSync)
    {
        var requests = new List<CoapRequest>();

        (await SendAsync(isSync, "coap://device/a/b", requests.Add)).Should().BeSameAs(Answer);

        _source.Opened.Should().Equal("Coap place-1 device True");
        requests.Single().Uri.Should().BeNull("all of it is in the options");
        requests.Single().Describe().Should().Be("GET coap://device/a/b");
    }

    [Theory, Trait("RFC", "8323 3")]
    [InlineData(true), InlineData(false)]
    public async Task Sends_a_request_once_more_that_never_left_the_connection(bool isSync)
    {
        var attempts = 0;

        var answer = await SendAsync(isSync, "coap+tcp://device/", _ =>
        {
            if (++attempts == 1) { throw new CoapTransportException("The connection ended.") { IsUnsent = true }; }
        });

        answer.Should().BeSameAs(Answer);
        _source.Opened.Should().Equal("CoapTcp place-1 device True", "CoapTcp place-1 device True");
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public async Task Does_not_repeat_a_request_that_may_have_been_acted_on(bool isSync)
    {
        var sending = () => SendAsync(isSync, "coap+tcp://device/", _ => throw new CoapTransportException("The connection ended."));

        await sending.Should().ThrowAsync<CoapTransportException>();
        _source.Opened.Should().HaveCount(1);
    }

    [Fact]
    public void Places_hold_the_addresses_of_a_name_in_their_order()
    {
        var places = new ServerAddresses([IPAddress.Loopback, IPAddress.IPv6Loopback], 5684);

        (places.Count, places.IsInMemory).Should().Be((2, false));
        places[1].Address.Should().Be(new IPEndPoint(IPAddress.IPv6Loopback, 5684));
        places[1].Peer.Should().Be(PeerIdentity.From(places[1].Address));
    }

    [Fact]
    public void An_in_memory_place_has_a_name_and_no_address()
    {
        var places = new ServerAddresses("server", 5683);

        (places.Count, places.IsInMemory).Should().Be((1, true));
        places[0].Should().Be(new Place(PeerIdentity.From("server"), new IPEndPoint(IPAddress.None, 5683)));
    }

    private string Resolve(string host) => host == "device" ? $"place-{++_resolved}" : throw new InvalidOperationException(host);

    private async Task<CoapResponse> SendAsync(bool isSync, string uri, Action<CoapRequest> sent)
    {
        var target = RequestTarget.OfOne(new CoapRequest(RequestCode.Get, uri));
        return isSync
            ? Router.Route(target, (_, request, _) => Answered(request), CancellationToken.None)
            : await Router.RouteAsync(
                target, (_, request, _) => new ValueTask<CoapResponse>(Answered(request)), note: null, CancellationToken.None);

        CoapResponse Answered(CoapRequest request)
        {
            sent(request);
            return Answer;
        }
    }

    private sealed class Source : IChannelSource
    {
        public List<string> Opened { get; } = [];

        public ValueTask<IChannel> OpenChannelAsync(CoapScheme scheme, PeerIdentity peer, string host, bool mayWait, CancellationToken cancellationToken) =>
            new(OpenChannel(scheme, peer, host, mayWait, cancellationToken));

        public IChannel OpenChannel(CoapScheme scheme, PeerIdentity peer, string host, bool mayWait, CancellationToken cancellationToken)
        {
            Opened.Add($"{scheme} {peer} {host} {mayWait}");
            return new Channel(peer);
        }

        public IChannel OpenChannel(PeerIdentity peer) => new Channel(peer);
    }

    /// <summary>What the router asks a channel for: where it leads.</summary>
    private sealed class Channel(PeerIdentity peer) : IChannel
    {
        public PeerIdentity Peer => peer;

        public PeerIdentity Local => default;

        public bool IsReliable => true;

        public bool IsClosed => false;

        public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default) => Answer;

        public ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default) => new(Answer);

        public Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default) => new(false, null);

        public ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default) => new(new Delivery(false, null));
    }
}
