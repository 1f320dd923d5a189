using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using CoAP;
using Samples;
using SampleServer;

if (Help.IsShown(args, Arguments.Usage))
{
    Console.WriteLine(DtlsLibrary.Describe());
    return 0;
}
if (!Arguments.TryParse(args, out var arguments, out var error))
{
    Console.Error.WriteLine(error);
    Console.Error.WriteLine(Arguments.Usage);
    return 2;
}
if (arguments.DtlsPort is not null && !DtlsPlatform.IsSupported)
{
    Console.Error.WriteLine(DtlsLibrary.Describe());
    return 1;
}

using var stop = new CancellationTokenSource();
using var onInterrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
using var onTerminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);

var settings = new CoapServerSettings
{
    Endpoints = arguments.Endpoints,
    // Everyone may fill the limits at the same time, and the machine is small.
    MaxInFlightSize = 16 << 20,
    ServerTransfers = new() { MaxTotalSize = 32 << 20 },
    Deduplication = new() { Capacity = 65_536, AnswerBufferSize = 2 << 20 },
    Mode = arguments.Mode,
    Lanes = arguments.Lanes,
    LaneForm = arguments.LaneForm,
    Udp = new UdpSettings { UsesSegmentationOffload = arguments.GathersDatagrams },
    Multicast = arguments.JoinsGroups ? new MulticastSettings() : null,
    Tls = new TlsServerSettings { Certificate = Certificates.For(arguments) },
    Dtls = arguments.DtlsPort is null ? null : Certificates.ForDtls(arguments),
};
await using var server = new CoapServer(settings);
SampleResources.Map(server.Resources, stop.Token);
try
{
    server.Start();
}
catch (Exception exception) when (exception is SocketException or IOException or UnauthorizedAccessException or CryptographicException)
{
    Console.Error.WriteLine(exception.Message);
    return 1;
}

foreach (var endpoint in server.Endpoints) { Console.WriteLine($"listening {endpoint}"); }
await using var web = await WebSockets.StartAsync(arguments, server, settings.Tls.Certificate);
foreach (var address in web.Addresses) { Console.WriteLine($"listening {address}"); }
Console.WriteLine("ready");
using var counters = arguments.MetricsEvery is { } period ? new Counters(period) : null;

// Both forms serve the same resources. The synchronous form blocks this thread until the server has stopped.
if (arguments.Mode == ServerMode.Sync) { server.Run(stop.Token); }
else { await server.RunAsync(stop.Token); }
return 0;

void Stop(PosixSignalContext signal)
{
    signal.Cancel = true;
    stop.Cancel();
}
