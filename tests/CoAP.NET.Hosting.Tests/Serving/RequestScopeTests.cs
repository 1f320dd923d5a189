using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting.Tests.Serving;

/// <summary>Each request has a scope, which ends before the response is sent.</summary>
public sealed class RequestScopeTests : IAsyncLifetime
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly MemoryHost _host = new();
    private readonly ConcurrentQueue<string> _events = new();
    private int _count;

    public async Task InitializeAsync()
    {
        _host.Services.AddScoped(_ => new Visit(Interlocked.Increment(ref _count), _events));
        await _host.StartAsync();
    }

    public async Task DisposeAsync() => await _host.DisposeAsync();

    [Fact]
    public async Task A_handler_that_throws_ends_its_scope()
    {
        Map("sync", request => throw new InvalidOperationException($"Visit {Of(request).Number} failed."));

        (await _host.GetAsync("sync")).Code.Should().Be(ResponseCode.InternalServerError);

        _events.Should().Equal("end 1");
    }

    [Fact]
    public async Task A_handler_that_throws_after_an_await_ends_its_scope()
    {
        _host.Host.Resources().At("async").Get(async (request, _) =>
        {
            await Task.Yield();
            throw new CoapResponseException(ResponseCode.Conflict, $"Visit {Of(request).Number}");
        });

        (await _host.GetAsync("async")).Code.Should().Be(ResponseCode.Conflict);

        _events.Should().Equal("end 1");
    }

    [Fact]
    public async Task A_scope_that_fails_to_end_makes_the_response_an_error()
    {
        Map("failing", request =>
        {
            Of(request).Fails = true;
            return Response.Content("saved");
        });

        (await _host.GetAsync("failing")).Code.Should().Be(ResponseCode.InternalServerError);

        _host.Log.Exceptions.Should().Contain(exception => exception.Message == "The work of visit 1 is lost.");
    }

    [Fact]
    public async Task A_handler_without_services_creates_no_scope()
    {
        Map("plain", _ => Response.Content("plain"));

        (await _host.GetAsync("plain")).PayloadText.Should().Be("plain");

        _events.Should().BeEmpty();
    }

    [Fact]
    public async Task Steps_and_the_handler_of_a_request_share_a_scope_and_requests_do_not()
    {
        _host.Host.MapCoapGroup("shared")
            .Use(next => async (request, cancellationToken) =>
            {
                var (before, response) = (Of(request), await next(request, cancellationToken));
                return Response.Content($"{before.Number} {response.PayloadText}");
            })
            .At("").Get(request => Response.Content($"{Of(request).Number}"));

        (await _host.GetAsync("shared")).PayloadText.Should().Be("1 1");
        (await _host.GetAsync("shared")).PayloadText.Should().Be("2 2");
        _events.Should().Equal("end 1", "end 2");
    }

    [Fact]
    public async Task Each_notification_has_a_scope_of_its_own()
    {
        var resource = _host.Host.Resources().At("observed").Observable().Get(request => Response.Content($"{Of(request).Number}"));
        await using var notifications = _host.Client.ObserveAsync("coap://server/observed").GetAsyncEnumerator();
        await notifications.MoveNextAsync().AsTask().WaitAsync(Patience);

        resource.NotifyChanged();
        await notifications.MoveNextAsync().AsTask().WaitAsync(Patience);

        notifications.Current.Response.PayloadText.Should().Be("2");
        _events.Should().Equal("end 1", "end 2");
    }

    [Fact]
    public async Task A_streamed_response_ends_its_scope_after_the_stream()
    {
        Map("stream", request => Response.Content(new VisitedStream(Of(request), _events), ContentFormats.OctetStream));

        (await _host.GetAsync("stream")).Payload.Length.Should().Be(3000);

        while (_events.Count < 2) { await Task.Yield(); }
        _events.Should().Equal("stream of 1", "end 1");
    }

    [Fact]
    public async Task Services_that_a_handler_keeps_cannot_be_used_after_the_response()
    {
        IServiceProvider? kept = null;
        Map("kept", request =>
        {
            kept = CoapRequestServices.Require(request);
            return Response.Content("");
        });
        await _host.GetAsync("kept");

        kept!.Invoking(services => services.GetService<Visit>()).Should().Throw<ObjectDisposedException>().WithMessage("*IServiceScopeFactory*");
    }

    [Fact]
    public async Task A_server_without_a_host_has_no_services()
    {
        var network = new InMemoryNetwork();
        await using var server = new CoapServer(new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("alone")] });
        server.Resources.At("x").Get(request => Response.Content(Record.Exception(() => CoapRequestServices.Require(request))?.Message ?? "none"));
        server.Start();
        await using var client = new CoapClient(new CoapClientSettings { Network = network });

        (await client.GetAsync("coap://alone/x")).PayloadText.Should().Contain("AddCoapServer");
    }

    private static Visit Of(IncomingRequest request) => CoapRequestServices.Require(request).GetRequiredService<Visit>();

    private void Map(string path, Func<IncomingRequest, CoapResponse> handler) => _host.Host.Resources().At(path).Get(handler);

    private sealed class Visit(int number, ConcurrentQueue<string> events) : IDisposable
    {
        public int Number => number;

        public bool Fails { get; set; }

        public void Dispose()
        {
            events.Enqueue($"end {number}");
            if (Fails) { throw new InvalidOperationException($"The work of visit {number} is lost."); }
        }
    }

    private sealed class VisitedStream(Visit visit, ConcurrentQueue<string> events) : MemoryStream(new byte[3000])
    {
        protected override void Dispose(bool disposing)
        {
            events.Enqueue($"stream of {visit.Number}");
            base.Dispose(disposing);
        }
    }
}
