using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Measurements.HandOffs.Rungs;

/// <summary>UDP, TCP, or a local socket.</summary>
/// <param name="Name">As the echo's process is told.</param>
/// <param name="Type">Datagrams or a stream.</param>
/// <param name="PayloadLength">The bytes that are handed over.</param>
internal sealed record SocketKind(string Name, SocketType Type, int PayloadLength)
{
    private bool IsUnix => Name == "unix";

    public static SocketKind Udp { get; } = new("udp", SocketType.Dgram, 0);

    public static SocketKind Tcp { get; } = new("tcp", SocketType.Stream, 1);

    public static SocketKind Unix { get; } = new("unix", SocketType.Stream, 1);

    public static SocketKind Of(string name) => name switch { "udp" => Udp, "tcp" => Tcp, _ => Unix };

    /// <summary>A socket that listens, or for datagrams is bound.</summary>
    public Socket Listen(string address)
    {
        var socket = Create();
        socket.Bind(IsUnix ? new UnixDomainSocketEndPoint(address) : new IPEndPoint(IPAddress.Parse(address), 0));
        if (Type == SocketType.Stream) { socket.Listen(); }
        return socket;
    }

    /// <summary>What a client connects to.</summary>
    public string AddressOf(Socket listener) => IsUnix ? listener.LocalEndPoint!.ToString()! : ((IPEndPoint)listener.LocalEndPoint!).ToString();

    public Socket Connect(string address)
    {
        var socket = Create();
        socket.Connect(IsUnix ? new UnixDomainSocketEndPoint(address) : IPEndPoint.Parse(address));
        return socket;
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Name}, {PayloadLength} bytes");

    private Socket Create()
    {
        if (IsUnix) { return new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified); }
        var socket = new Socket(AddressFamily.InterNetwork, Type, Type == SocketType.Dgram ? ProtocolType.Udp : ProtocolType.Tcp);
        if (Type == SocketType.Stream) { socket.NoDelay = true; }
        return socket;
    }
}
