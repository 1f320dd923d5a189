using System.Net;
using System.Net.Sockets;
using CoAP.Datagrams;
using CoAP.Resources;
using CoAP.Mesh;
using CoAP.Options;
using CoAP.Serialization;
using CoAP.Transports;

namespace CoAP.Benchmarks.Checks;

/// <summary>The calls into the system that a request takes over loopback, by the transport's own counter: a lane that is pumped, real sockets.</summary>
internal static class LoopbackChecks
{
    private const int Sockets = 16;
    private const int Rounds = 200;

    public static IEnumerable<Check> All()
    {
        if (!LinuxCalls.IsSupported) { return []; }
        return
        [
            Check.Count("UDP, 1 outstanding: calls into the system for each request", CallsPerRequest(1), 5, "calls"),
            Check.Count("UDP, 64 outstanding: calls into the system for each request", CallsPerRequest(64), 0.15, "calls"),
        ];
    }

    private static double CallsPerRequest(int outstanding)
    {
        using var stopping = new CancellationTokenSource();
        var transport = UdpTransport.Bind([new IPEndPoint(IPAddress.Loopback, 0)], 1, new UdpSettings())[0];
        var settings = new CoapServerSettings();
        var resources = new ResourceMap();
        var hello = Response.Content("Hello, CoAP!");
        resources.At("hello").Get((_, _) => new(hello));
        var pipeline = new HandlerPipeline(resources, [], settings.ForHandlers(), stopping.Token);
        var lane = LaneMesh.Over(transport, new EndpointParts(settings, pipeline), out _);
        var peers = Enumerable.Range(0, Math.Min(outstanding, Sockets)).Select(_ => Connect(transport.LocalEndPoints[0])).ToArray();
        try
        {
            Round(lane, transport, peers, outstanding, 0);
            var before = transport.Counters.SystemCalls;
            for (var round = 1; round <= Rounds; round++) { Round(lane, transport, peers, outstanding, round); }
            return (transport.Counters.SystemCalls - before) / (double)(Rounds * outstanding);
        }
        finally
        {
            Array.ForEach(peers, peer => peer.Dispose());
            lane.End();
            pipeline.Complete();
        }
    }

    // As the lane's own thread: it waits for requests, takes turns until one says that there is nothing more, and waits again.
    private static void Round(DatagramLane lane, IDatagramTransport transport, Socket[] peers, int outstanding, int round)
    {
        for (var i = 0; i < outstanding; i++)
        {
            var messageId = (round * outstanding) + i;
            peers[i % peers.Length].Send(CoapMessageSerializer.Datagram.Serialize(new CoapMessage
            {
                Code = RequestCode.Get,
                MessageId = new((ushort)messageId),
                Token = new([(byte)(messageId >> 16), 2, 3, 4]),
                Options = [new UriPath("hello")],
            }));
        }
        lane.WaitForWork(TimeSpan.FromSeconds(1));
        var isBusy = true;
        for (var end = transport.Counters.DatagramsSent + outstanding; isBusy || transport.Counters.DatagramsSent < end;)
        {
            isBusy = lane.Turn();
            if (!isBusy && transport.Counters.DatagramsSent < end) { lane.WaitForWork(TimeSpan.FromSeconds(1)); }
        }
        var answer = new byte[64];
        for (var i = 0; i < outstanding; i++)
        {
            var length = peers[i % peers.Length].Receive(answer);
            var code = CoapMessageSerializer.Datagram.Deserialize(answer.AsSpan(0, length)).Code;
            if (code != ResponseCode.Content) { throw new InvalidOperationException($"An answer with code {code}."); }
        }
    }

    private static Socket Connect(IPEndPoint server)
    {
        var socket = new Socket(SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = 5_000 };
        socket.Connect(server);
        return socket;
    }
}
