using System.Net;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>A server that continues the sessions of a store.</summary>
internal sealed class RestartedServer : IAsyncDisposable
{
    private int _posts;

    public RestartedServer(
        IDtlsSessionStore? store, bool hasCheck, IObserverStore? observers = null, string state = "1", int lanes = 1, bool usesIds = true, IPEndPoint? address = null,
        int idLength = 8, TimeSpan? pathTimeout = null, Microsoft.Extensions.Logging.ILoggerFactory? log = null)
    {
        Cut = new CoapServer(new()
        {
            Endpoints = [ServerEndpoint.Dtls(address ?? new IPEndPoint(IPAddress.Loopback, 0))],
            Dtls = new DtlsServerSettings
            {
                PreSharedKeys = PskStore.From(RestartTests.Key),
                SessionStore = store,
                UsesRoutabilityCheck = hasCheck,
                PathCheckTimeout = pathTimeout ?? TimeSpan.FromMilliseconds(200),
                ConnectionIdLength = usesIds ? idLength : null,
            },
            LoggerFactory = log ?? Microsoft.Extensions.Logging.Abstractions.NullLoggerFactory.Instance,
            ServerObservations = new() { Store = observers },
            Lanes = OperatingSystem.IsLinux() ? lanes : 1,
        });
        Cut.Resources.At("peer").Get((request, _) => new(Response.Content(request.Peer.ToString())));
        Cut.Resources.At("who").Get((request, _) => new(Response.Content(request.Credentials?.PreSharedKeyIdentity ?? "nobody")));
        Cut.Resources.At("state").Get((request, _) => new(Response.Content($"{state}, {request.Credentials?.PreSharedKeyIdentity}"))).Observable();
        Cut.Resources.At("count").Post((_, _) =>
        {
            Interlocked.Increment(ref _posts);
            return new(Response.Changed);
        });
        Cut.Start();
    }

    public CoapServer Cut { get; }

    public int Posts => Volatile.Read(ref _posts);

    public IPEndPoint Address => Cut.Endpoints[0].Address;

    public async ValueTask DisposeAsync() => await Cut.DisposeAsync();
}

/// <summary>Waits for a store that is written in the background.</summary>
internal static class StoreExtensions
{
    public static async Task HasAsync(this InMemoryDtlsSessionStore store, int count)
    {
        while (store.Sessions.Count < count) { await Task.Yield(); }
    }
}
