using CoAP.Datagrams;
using CoAP.Mesh;
using CoAP.Transports;

namespace CoAP.Benchmarks;

/// <summary>The system calls of a request over loopback, by the transport's own counter: real sockets and a lane that is pumped.</summary>
internal static class CallChecks
{
    private const int Sockets = 16;
    private const int Rounds = 200;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    public static IEnumerable<Check> All() => !LinuxCalls.IsSupported ? [] :
    [
        Check.Count("UDP, 1 outstanding: system calls for each request", CallsPerRequest(1), 5, "calls"),
        Check.Count("UDP, 64 outstanding: system calls for each request", CallsPerRequest(64), 0.15, "calls"),
    ];

    private static double CallsPerRequest(int outstanding)
    {
        using var stopping = new CancellationTokenSource();
        var transport = UdpTransport.Bind([new IPEndPoint(IPAddress.Loopback, 0)], 1, new UdpSettings())[0];
        var settings = new CoapServerSettings();
        var resources = new ResourceMap();
        var hello = Response.Content("Hello, CoAP!");
        resources.At("hello").Get((_, _) => new(hello));
        var parts = new EndpointParts(settings, resources, [], stopping.Token);
        var lane = LaneMesh.Over(transport, parts, out _);
        var peers = Enumerable.Range(0, Math.Min(outstanding, Sockets)).Select(_ => Connect(transport.LocalEndPoints[0])).ToArray();
        try
        {
            Round(lane, transport, peers, outstanding, 0);
            var before = transport.Counters[TransportCounters.SystemCalls];
            for (var round = 1; round <= Rounds; round++) { Round(lane, transport, peers, outstanding, round); }
            return (transport.Counters[TransportCounters.SystemCalls] - before) / (double)(Rounds * outstanding);
        }
        finally
        {
            Array.ForEach(peers, static peer => peer.Dispose());
            lane.End();
            parts.Pipeline.Complete();
        }
    }

    // Like the lane's own thread: wait for requests, take turns until one finds nothing more, and wait again.
    private static void Round(DatagramLane lane, IDatagramTransport transport, Socket[] peers, int outstanding, int round)
    {
        for (var i = 0; i < outstanding; i++) { peers[i % peers.Length].Send(RequestOf((round * outstanding) + i)); }
        lane.WaitForWork(Patience);
        var isBusy = true;
        for (var end = transport.Counters[TransportCounters.DatagramsSent] + outstanding; isBusy || transport.Counters[TransportCounters.DatagramsSent] < end;)
        {
            isBusy = lane.Turn();
            if (!isBusy && transport.Counters[TransportCounters.DatagramsSent] < end) { lane.WaitForWork(Patience); }
        }
        var answer = new byte[64];
        for (var i = 0; i < outstanding; i++)
        {
            var length = peers[i % peers.Length].Receive(answer);
            var code = CoapMessageSerializer.Datagram.Deserialize(answer.AsSpan(0, length)).Code;
            if (code != ResponseCode.Content) { throw new InvalidOperationException($"The response has the code {code}."); }
        }
    }

    private static byte[] RequestOf(int number) => CoapMessageSerializer.Datagram.Serialize(new CoapMessage
    {
        Code = RequestCode.Get,
        MessageId = new((ushort)number),
        Token = new([(byte)(number >> 16), 2, 3, 4]),
        Options = [new UriPath("hello")],
    });

    private static Socket Connect(IPEndPoint server)
    {
        var socket = new Socket(SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = (int)Patience.TotalMilliseconds };
        socket.Connect(server);
        return socket;
    }
}
