using System.Net;
using CoAP.TestSupport;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace CoAP.Fuzzing.Soak;

/// <summary>A server on loopback over UDP, TCP and WebSockets, with the faults that a test switches on.</summary>
internal sealed class SoakServer : IAsyncDisposable
{
    private readonly WebApplication _application;
    private readonly JumpingTime _time = new();
    private readonly FaultyStore _store = new();
    private Resource _seen = null!;
    private volatile bool _losesFrames;

    public SoakServer()
    {
        var settings = new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.Udp(new(IPAddress.Loopback, 0)), ServerEndpoint.Tcp(new(IPAddress.Loopback, 0))],
            TimeProvider = _time,
            Links = [MeshLink.Filter(MeshArrow.FramesOut, _ => !_losesFrames)],
            ServerObservations = new() { UnverifiedTimeout = TimeSpan.FromSeconds(5), Store = _store },
            Deduplication = new() { Capacity = 16_384 },
        };
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        builder.Services.AddCoapServer(_ => settings).Map(Map);
        _application = builder.Build();
        _application.UseWebSockets();
        _application.MapCoap();
    }

    public CoapServer Server => _application.Services.GetRequiredService<CoapServer>();

    /// <summary>The URIs without a path: UDP, TCP and WebSocket.</summary>
    public IReadOnlyList<string> Authorities =>
    [
        $"coap://{Server.Endpoints[0].Address}", $"coap+tcp://{Server.Endpoints[1].Address}", $"coap+ws://{new Uri(_application.Urls.First()).Authority}",
    ];

    public Task StartAsync() => _application.StartAsync();

    /// <summary>Tells the observers of a new state.</summary>
    public void Notify() => _seen.NotifyChanged();

    /// <summary>Begins a fault. It ends when the result is disposed of.</summary>
    public IDisposable Fail(int which)
    {
        switch (which % 4)
        {
            case 0:
                _store.IsFull = true;
                return new Ending(() => _store.IsFull = false);
            case 1:
                // As if the system had no buffers left for what is sent (ENOBUFS).
                _losesFrames = true;
                return new Ending(() => _losesFrames = false);
            case 2:
                return DescriptorLimit.Of(more: 2);
            default:
                _time.Jump(TimeSpan.FromDays(1));
                return new Ending(() => _time.Jump(TimeSpan.FromDays(-1)));
        }
    }

    /// <summary>Waits until all peers have left.</summary>
    public Task ConnectionsEndAsync() => Server.AllConnectionsEndAsync();

    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private void Map(CoapServer server)
    {
        server.Resources.At("small").Get(_ => Response.Content("22.3 C"), HandlerMode.Inline).Put(_ => Response.Changed, HandlerMode.Inline);
        server.Resources.At("large").Get(_ => Response.Content(new byte[20_000], 42)).Put(request => Response.Content($"{request.Payload.Length}"));
        server.Resources.At("streamed").Get(_ => Response.Content(new MemoryStream(new byte[40_000]), 42)).Put(ReadAsync).StreamsBody();
        server.Resources.At("late").Get(async (_, cancellationToken) =>
        {
            await Task.Delay(TimeSpan.FromMilliseconds(300), cancellationToken);
            return Response.Content("late");
        });
        _seen = server.Resources.At("seen").Observable().Get(_ => Response.Content(DateTimeOffset.UtcNow.ToString("O", null)));
    }

    private static async ValueTask<CoapResponse> ReadAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        await request.Body.CopyToAsync(Stream.Null, cancellationToken);
        return Response.Changed;
    }

    private sealed class Ending(Action end) : IDisposable
    {
        public void Dispose() => end();
    }
}
