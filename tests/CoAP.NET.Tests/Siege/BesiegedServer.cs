using System.Net;
using System.Net.Sockets;
using CoAP.Lanes;
using CoAP.Streams;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege;

/// <summary>A server with short limits of time, and one well-behaved client that was there before the bad ones.</summary>
internal sealed class BesiegedServer : IAsyncDisposable
{
    // So long that the good client is in time on a machine under load.
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan RealPatience = TimeSpan.FromMinutes(1);

    // Descriptors that the runtime opens and keeps for itself, such as those of what is used for the first time.
    private const int OfRuntime = 8;

    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);
    private static readonly byte[] GetHello = Hex.Bytes("61 01 7a b5 68656c6c6f");

    private readonly Socket _good;
    private readonly Holdings _before;

    /// <param name="mode">How connections are served.</param>
    /// <param name="change">What is different.</param>
    /// <param name="endpoints">Where it listens besides TCP.</param>
    public BesiegedServer(ServerMode mode = ServerMode.Async, Func<CoapServerSettings, CoapServerSettings>? change = null, params ServerEndpoint[] endpoints)
    {
        var settings = new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.Tcp(AnyPort), .. endpoints],
            Mode = mode,
            Tcp = new TcpSettings { MaxConnections = 6_000 },
            Stream = new StreamSettings { CsmTimeout = Patience, MessageTimeout = Patience },
        };
        Server = new CoapServer(change?.Invoke(settings) ?? settings);
        Server.Resources.At("hello").Get((_, _) => new(Response.Content("hello")));
        Server.Resources.At("large").Get((_, _) => new(Response.Content(new byte[60_000], ContentFormats.OctetStream)));
        Server.Start();
        _good = Connect();
        _good.Send(Hex.Bytes("00 e1"));
        AskHello();
        AskUntil(() => Server.OpenConnections == 1);
        _before = Holdings.Of(Server);
    }

    public CoapServer Server { get; }

    public EndPoint Address => Server.Endpoints[0].Address;

    public Socket Connect() => Connect(Address);

    public static Socket Connect(EndPoint address)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, ReceiveTimeout = (int)RawPeer.Patience.TotalMilliseconds };
        socket.Connect(address);
        return socket;
    }

    /// <summary>Closes with a TCP reset.</summary>
    public static void Reset(Socket socket)
    {
        socket.LingerState = new LingerOption(true, 0);
        socket.Dispose();
    }

    /// <summary>Sends, unless the server has closed already.</summary>
    public static bool TrySend(Socket socket, ReadOnlySpan<byte> bytes)
    {
        socket.Send(bytes, SocketFlags.None, out var error);
        return error == SocketError.Success;
    }

    /// <summary>Everything that still comes until the server closes.</summary>
    public static byte[] ReadToEnd(Socket socket)
    {
        var received = new List<byte>();
        var buffer = new byte[4096];
        while (socket.Receive(buffer, SocketFlags.None, out _) is var count and > 0) { received.AddRange(buffer.AsSpan(0, count)); }
        return [.. received];
    }

    /// <summary>The good client is served, and of the bad ones there is nothing left.</summary>
    public void ShouldHaveNothingLeft()
    {
        AwaitAccepted();
        var now = _before;
        AskUntil(() => IsBack(now = Holdings.Of(Server))).Should().BeTrue($"{now} should be {_before}");
        AskHello();

        bool IsBack(Holdings now) => now.Descriptors <= _before.Descriptors + OfRuntime && now with { Descriptors = _before.Descriptors } == _before;
    }

    /// <summary>Has the good client ask until a condition holds, or for as long as patience lasts. Each round trip gives the server its turns.</summary>
    public bool AskUntil(Func<bool> isDone)
    {
        var started = TimeProvider.System.GetTimestamp();
        AskHello();
        while (!isDone())
        {
            if (TimeProvider.System.GetElapsedTime(started) > RealPatience) { return false; }
            AskHello();
        }
        return true;
    }

    public async ValueTask DisposeAsync()
    {
        _good.Dispose();
        await Server.DisposeAsync();
    }

    // Connections are accepted in their order. When this one is greeted or refused, no earlier one waits any more.
    private void AwaitAccepted()
    {
        using var last = Connect();
        last.Receive(new byte[16], SocketFlags.None, out _);
    }

    private void AskHello()
    {
        _good.Send(GetHello).Should().Be(GetHello.Length);
        var received = new List<byte>();
        var buffer = new byte[256];
        while (!Hex.Text([.. received]).EndsWith("ff68656c6c6f", StringComparison.Ordinal))
        {
            var count = _good.Receive(buffer);
            count.Should().BePositive("nobody may be dropped for what others do");
            received.AddRange(buffer.AsSpan(0, count));
        }
    }

    /// <summary>What the server and its process hold.</summary>
    private sealed record Holdings(int Descriptors, int OpenConnections, int Channels, int Deadlines, int PendingRequests)
    {
        public static Holdings Of(CoapServer server)
        {
            Lane[] lanes = [.. server.Lanes];
            return new Holdings(
                OperatingSystem.IsLinux() ? Directory.EnumerateFileSystemEntries("/proc/self/fd").Count() : 0,
                server.OpenConnections,
                lanes.OfType<StreamLane>().Sum(static lane => lane.ConnectionCount),
                lanes.Sum(static lane => lane.DeadlineCount),
                lanes.Sum(static lane => lane.PendingRequests));
        }
    }
}
