using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using CoAP.Measurements.Drip;
using CoAP.Measurements.HandWritten;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.Siege;

/// <summary>A well-behaved client that asks for /hello at a steady rate over one socket, one request at a time.</summary>
internal abstract class Prober(string transport, Socket socket) : IDisposable
{
    public static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(2);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private readonly byte[] _buffer = new byte[4096];

    public string Transport => transport;

    protected Socket Socket => socket;

    /// <summary>The requests that nobody answered.</summary>
    public int Missing { get; private set; }

    public static Prober Tcp(int port) => new OverTcp(port);

    public static Prober Udp(int port) => new OverUdp(port);

    /// <summary>Asks until it is told to stop.</summary>
    public void Run(LatencyHistogram latencies, Func<bool> goesOn)
    {
        socket.ReceiveTimeout = (int)Patience.TotalMilliseconds;
        var step = (long)(Interval.TotalSeconds * Stopwatch.Frequency);
        for (var due = Stopwatch.GetTimestamp(); goesOn(); due += step)
        {
            // Whoever is kept waiting past the time of the next request waits for that one, too: it counts from when it was due.
            var now = Stopwatch.GetTimestamp();
            var isLate = now > due;
            if (!isLate) { Pace.SleepUntil(due); }
            var from = isLate ? due : Stopwatch.GetTimestamp();
            if (TryAsk()) { latencies.Record(Stopwatch.GetElapsedTime(from)); }
            else { Missing++; }
        }
    }

    public void Dispose() => socket.Dispose();

    protected abstract ReadOnlySpan<byte> NextRequest();

    protected abstract bool IsAnswer(ReadOnlySpan<byte> received);

    private bool TryAsk()
    {
        socket.Send(NextRequest());
        while (true)
        {
            var count = socket.Receive(_buffer, SocketFlags.None, out var error);
            if (error == SocketError.TimedOut) { return false; }
            if (error != SocketError.Success || (count == 0 && socket.SocketType == SocketType.Stream))
            {
                throw new InvalidOperationException($"The server has dropped a client that did nothing wrong, over {transport}: {error}.");
            }
            if (IsAnswer(_buffer.AsSpan(0, count))) { return true; }
        }
    }

    private static Socket Connect(SocketType type, ProtocolType protocol, int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, type, protocol);
        if (type == SocketType.Stream) { socket.NoDelay = true; }
        socket.Connect(IPAddress.Loopback, port);
        return socket;
    }

    private sealed class OverTcp : Prober
    {
        private readonly byte[] _request = CoapWire.Get("hello");

        public OverTcp(int port)
            : base("TCP", Connect(SocketType.Stream, ProtocolType.Tcp, port)) => Socket.Send(HandWrittenRequest.Csm);

        protected override ReadOnlySpan<byte> NextRequest() => _request;

        // Answers are small and come whole; before them there may be signals.
        protected override bool IsAnswer(ReadOnlySpan<byte> received)
        {
            while (Wire.Coap.Cut(received, out var isAnswer) is var length and > 0)
            {
                if (isAnswer) { return true; }
                received = received[length..];
            }
            return false;
        }
    }

    private sealed class OverUdp(int port) : Prober("UDP", Connect(SocketType.Dgram, ProtocolType.Udp, port))
    {
        private readonly HandWrittenRequest _request = HandWrittenRequest.Datagram(HandWrittenRequest.Get, "hello");
        private ushort _id = (ushort)Environment.ProcessId;

        protected override ReadOnlySpan<byte> NextRequest() => _request.Number(++_id, _id);

        protected override bool IsAnswer(ReadOnlySpan<byte> received) =>
            received.Length > HandWrittenRequest.DatagramTokenAt && BinaryPrimitives.ReadUInt16BigEndian(received[HandWrittenRequest.MessageIdAt..]) == _id;
    }
}
