using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;

namespace CoAP.AspNetCore.Tests;

/// <summary>Authorization over every transport: uploads, the rest of large responses, and observers of two identities.</summary>
[Trait("Category", "Loopback")]
public sealed class AuthorizationTests : IAsyncLifetime, IAsyncDisposable
{
    private const int BodySize = 3 << 20;       // more than one message on every transport

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly CoapServer _server = new(new CoapServerSettings
    {
        Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0)), ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, 0))],
        ServerTransfers = new ServerTransferSettings { MaxBodySize = 2 * BodySize },
    });
    private readonly HashSet<string> _revoked = [];
    private readonly Lock _gate = new();
    private WebApplication? _web;
    private Resource _resource = null!;
    private Resource _own = null!;
    private int _handled;
    private int _asked;

    public async Task InitializeAsync()
    {
        _resource = _server.Resources.At("data/{user}").Observable().Authorize(Decide)
            .Get(_ => Handle(Response.Content("data")))
            .Put(_ => Handle(Response.Changed))
            .Fetch(_ => Handle(new CoapResponse(ResponseCode.Content) { Payload = new byte[BodySize] }));
        _own = _server.Resources.At("own").Observable().Authorize(static _ => AuthorizationDecision.Allow()).Get(static request => Response.Content($"of {request.Peer}"));
        _server.Start();
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        _web = builder.Build();
        _web.UseWebSockets();
        _web.MapCoap(_server);
        await _web.StartAsync();
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        await _web!.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Theory]
    [InlineData("coap"), InlineData("coap+tcp"), InlineData("coap+ws")]
    public async Task An_upload_without_the_right_ends_with_its_first_block(string scheme)
    {
        await using var client = new CoapClient();
        Revoke("alice");

        var response = await client.SendAsync(
            new CoapRequest(RequestCode.Put, Address(scheme, "alice")) { Payload = new byte[BodySize] }).AsTask().WaitAsync(Patience);

        response.Code.Should().Be(ResponseCode.Unauthorized);
        _asked.Should().Be(1, "the client sent one block");
        _handled.Should().Be(0);
    }

    [Theory]
    [InlineData("coap"), InlineData("coap+tcp"), InlineData("coap+ws")]
    public async Task The_rest_of_a_response_is_refused_once_the_right_is_revoked(string scheme)
    {
        await using var client = new CoapClient();
        var progress = new RevokeAtFirstBytes(this);

        var response = await client.SendAsync(
            new CoapRequest(RequestCode.Fetch, Address(scheme, "alice")) { Payload = new byte[1], Progress = progress }).AsTask().WaitAsync(Patience);

        response.Code.Should().Be(ResponseCode.Unauthorized);
        _handled.Should().Be(1);
    }

    [Theory]
    [InlineData("coap"), InlineData("coap+tcp"), InlineData("coap+ws")]
    public async Task Revoking_the_right_of_one_observer_ends_its_observation_alone(string scheme)
    {
        await using CoapClient alice = new(), bob = new();
        await using var toAlice = alice.ObserveAsync(Address(scheme, "alice")).GetAsyncEnumerator();
        await using var toBob = bob.ObserveAsync(Address(scheme, "bob")).GetAsyncEnumerator();
        await toAlice.MoveNextAsync().AsTask().WaitAsync(Patience);
        await toBob.MoveNextAsync().AsTask().WaitAsync(Patience);

        Revoke("alice");
        _resource.NotifyChanged();

        (await toBob.MoveNextAsync().AsTask().WaitAsync(Patience)).Should().BeTrue();
        toBob.Current.Response.Code.Should().Be(ResponseCode.Content);
        await toAlice.MoveNextAsync().AsTask().WaitAsync(Patience);
        toAlice.Current.Response.Code.Should().Be(ResponseCode.Unauthorized);
        _resource.ObserverCount.Should().Be(1);
    }

    [Theory]
    [InlineData("coap"), InlineData("coap+tcp"), InlineData("coap+ws")]
    public async Task Observers_of_one_resource_get_their_own_answers(string scheme)
    {
        await using CoapClient alice = new(), bob = new();
        await using var toAlice = alice.ObserveAsync(At(scheme, "own")).GetAsyncEnumerator();
        await using var toBob = bob.ObserveAsync(At(scheme, "own")).GetAsyncEnumerator();
        var (first, other) = (await Next(toAlice), await Next(toBob));

        _own.NotifyChanged();

        first.Should().NotBe(other);
        (await Next(toAlice)).Should().Be(first);
        (await Next(toBob)).Should().Be(other);

        static async Task<string> Next(IAsyncEnumerator<Notification> notifications)
        {
            await notifications.MoveNextAsync().AsTask().WaitAsync(Patience);
            return notifications.Current.Response.PayloadText;
        }
    }

    private string Address(string scheme, string user) => At(scheme, "data/" + user);

    private string At(string scheme, string path) => scheme switch
    {
        "coap+ws" => $"coap+ws://{new Uri(_web!.Urls.First()).Authority}/{path}",
        _ => $"{scheme}://{_server.Endpoints[scheme == "coap" ? 0 : 1].Address}/{path}",
    };

    private CoapResponse Handle(CoapResponse response)
    {
        Interlocked.Increment(ref _handled);
        return response;
    }

    private async ValueTask<AuthorizationDecision> Decide(RequestHead request, CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        Interlocked.Increment(ref _asked);
        lock (_gate) { return _revoked.Contains(request["user"]) ? AuthorizationDecision.Deny() : AuthorizationDecision.Allow(); }
    }

    private void Revoke(string user)
    {
        lock (_gate) { _revoked.Add(user); }
    }

    private sealed class RevokeAtFirstBytes(AuthorizationTests tests) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value)
        {
            if (value.Received > 0) { tests.Revoke("alice"); }
        }
    }
}
