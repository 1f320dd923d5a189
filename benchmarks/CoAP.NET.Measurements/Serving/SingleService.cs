using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using CoAP.Measurements.Servers;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;

namespace CoAP.Measurements.Serving;

/// <summary>One of the two processes between which one large message goes, and what it cost it. Linux only.</summary>
internal sealed class SingleService : IService
{
    private static readonly StreamSettings Limits = new()
    {
        MaxMessageSize = (1 << 30) + (1 << 10),
        AbortAboveSize = 2L << 30,
        MessageTimeout = TimeSpan.FromMinutes(10),
    };

    private readonly CoapServer _server;
    private readonly WebApplication _web;
    private readonly CoapClient _client;
    private readonly X509Certificate2 _certificate;
    private readonly string _unixPath = Path.Combine(Path.GetTempPath(), $"coap-single-{Environment.ProcessId}.sock");
    private byte[] _payload = [];
    private IChannel? _unix;
    private long _before;

    private SingleService(IReadOnlyDictionary<string, string> values)
    {
        _certificate = Certificates.Make();
        var here = new IPEndPoint(IPAddress.Loopback, 0);
        _server = new CoapServer(new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.Tcp(here), ServerEndpoint.Tls(here), ServerEndpoint.Unix(_unixPath)],
            Mode = values.TryGetValue("mode", out var mode) ? Enum.Parse<ServerMode>(mode, ignoreCase: true) : ServerMode.Async,
            Tls = new TlsServerSettings { Certificate = TlsCertificateSource.From(_certificate) },
            Stream = Limits,
        });
        _server.Resources.At("body").Get((_, _) => new(new CoapResponse(ResponseCode.Content) { Payload = _payload }))
            .Put((request, _) => new(Response.Content(Judge(request.Payload))));
        _server.Start();
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(here));
        _web = builder.Build();
        _web.UseWebSockets();
        _web.MapCoap(_server);
        X509Certificate2Collection roots = values.TryGetValue("root", out var root) ? [X509CertificateLoader.LoadCertificate(Convert.FromBase64String(root))] : [];
        _client = new CoapClient(new CoapClientSettings { Stream = Limits, Tls = new TlsClientSettings { TrustedRoots = roots } });
    }

    public IEnumerable<string> Addresses =>
    [
        $"tcp coap+tcp://127.0.0.1:{_server.Endpoints[0].Address.Port}",
        $"tls coaps+tcp://127.0.0.1:{_server.Endpoints[1].Address.Port}",
        $"unix unix://{_unixPath}",
        $"ws coap+ws://127.0.0.1:{new Uri(_web.Urls.First()).Port}",
        $"certificate {Convert.ToBase64String(_certificate.RawData)}",
    ];

    public static async Task<IService> StartAsync(IReadOnlyDictionary<string, string> values)
    {
        var service = new SingleService(values);
        await service._web.StartAsync();
        return service;
    }

    /// <summary>"make SIZE", "mark", "cost", "put ADDRESS" and "get ADDRESS".</summary>
    public string Answer(string question) => question.Split(' ') switch
    {
        ["make", var size] => Make(int.Parse(size, CultureInfo.InvariantCulture)),
        ["mark"] => Mark(),
        ["cost"] => (ProcessUsage.PeakOf(Environment.ProcessId) - _before).ToString(CultureInfo.InvariantCulture),
        ["put", var address] => Time(() => SendAsync(new CoapRequest(RequestCode.Put, PathOf(address)) { Payload = _payload }, address)),
        ["get", var address] => Time(() => SendAsync(new CoapRequest(RequestCode.Get, PathOf(address)), address)),
        _ => "not understood",
    };

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _web.DisposeAsync();
        await _server.DisposeAsync();
        _certificate.Dispose();
    }

    private string Make(int size)
    {
        _payload = GC.AllocateUninitializedArray<byte>(size);
        for (var at = 0; at < size; at++) { _payload[at] = ByteAt(at); }
        return "made";
    }

    // From here on the peak of the resident set is counted anew.
    private string Mark()
    {
        GC.Collect(2, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        File.WriteAllText("/proc/self/clear_refs", "5");
        _before = ProcessUsage.ResidentSetOf(Environment.ProcessId);
        return "marked";
    }

    private static string Time(Func<Task<string>> run)
    {
        var watch = Stopwatch.StartNew();
        var outcome = Task.Run(run).GetAwaiter().GetResult();
        return $"{watch.Elapsed.TotalMilliseconds.ToString("R", CultureInfo.InvariantCulture)} {outcome}";
    }

    private async Task<string> SendAsync(CoapRequest request, string address)
    {
        if (address.StartsWith("unix://", StringComparison.Ordinal)) { _unix ??= await _client.OpenUnixAsync(address["unix://".Length..]); }
        var response = (_unix is null ? await _client.SendAsync(request) : await _unix.SendAsync(request)).EnsureSuccess();
        return request.Method == RequestCode.Get ? Judge(response.Payload) : response.PayloadText;
    }

    private static string PathOf(string address) => address.StartsWith("unix://", StringComparison.Ordinal) ? "/body" : address + "/body";

    private static byte ByteAt(int at) => (byte)((at * 31) + (at >> 12));

    // Every byte of some and some of all pages: reading them all would be measured as well.
    private static string Judge(ReadOnlyMemory<byte> body)
    {
        var bytes = body.Span;
        for (var at = 0; at < bytes.Length; at += at < 100_000 || at > bytes.Length - 100_000 ? 1 : 1009)
        {
            if (bytes[at] != ByteAt(at)) { return $"wrong at {at}"; }
        }
        return bytes.Length.ToString(CultureInfo.InvariantCulture);
    }
}
