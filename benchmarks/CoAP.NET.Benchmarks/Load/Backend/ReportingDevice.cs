using System.Buffers.Binary;
using System.Buffers;
using CoAP.Formats;
using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>A controller that reports one reading, or a few, after the other. It sends a request again until it is answered with 2.04.</summary>
internal sealed class ReportingDevice : IDisposable
{
    private const byte PayloadMarker = 0xFF, Changed = 0x44;
    private const int Header = 4, TokenOffset = 4, Acknowledgement = 2;

    private static readonly CborFormat Format = new(global::Backend.Contracts.Default);
    private static readonly DateTimeOffset Start = DateTimeOffset.UtcNow;

    private readonly ArrayBufferWriter<byte> _request = new();
    private readonly RequestShape _shape;
    private readonly Socket _socket;
    private readonly int _perRequest;
    private ushort _messageId = (ushort)Random.Shared.Next();

    public ReportingDevice(string name, IPEndPoint server, int perRequest)
    {
        (Name, _perRequest) = (name, perRequest);
        _shape = new LoadSettings
        {
            Server = server,
            Method = perRequest == 1 ? LoadSettings.Put : LoadSettings.Post,
            Path = $"controllers/{name}/readings",
            ContentFormat = ContentFormats.Cbor,
        }.ToShape();
        _socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        _socket.Connect(server);
    }

    public string Name { get; }

    public Socket Socket => _socket;

    /// <summary>The readings that the server has acknowledged: all sequences from 0 up to this one, without it.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>The readings that were sent at least once.</summary>
    public long Sent { get; private set; }

    /// <summary>When the request was sent first; 0 if none is on its way.</summary>
    public long Since { get; private set; }

    /// <summary>When the request has to be sent again.</summary>
    public long Due { get; private set; }

    /// <summary>Sends the next readings.</summary>
    public void Report(long now, long patience)
    {
        Since = now;
        Compose();
        Sent = Acknowledged + _perRequest;
        Send(now, patience);
    }

    /// <summary>Sends the request again, as a new message.</summary>
    public void Repeat(long now, long patience)
    {
        Compose();
        Send(now, patience);
    }

    /// <summary>Sends the request again later.</summary>
    public void Delay(long due) => Due = due;

    /// <summary>Takes a datagram. Returns the code of the response; 0 if the datagram is none to the request.</summary>
    public byte Take(ReadOnlySpan<byte> datagram)
    {
        if (datagram.Length < Header) { return 0; }
        if (((datagram[0] >> 4) & 3) != Acknowledgement) { Answer(datagram); }
        var isOurs = datagram.Length >= Header + RequestShape.TokenLength && (datagram[0] & 15) == RequestShape.TokenLength
            && BinaryPrimitives.ReadInt64BigEndian(datagram[TokenOffset..]) == Acknowledged;
        if (!isOurs || Since == 0) { return 0; }
        if (datagram[1] == Changed) { (Acknowledged, Since) = (Acknowledged + _perRequest, 0); }
        return datagram[1];
    }

    public void Dispose() => _socket.Dispose();

    // The token is the sequence. So the answer to any transmission of the request ends it.
    private void Compose()
    {
        _request.ResetWrittenCount();
        _request.Write(_shape.Bytes);
        _request.Write([PayloadMarker]);
        if (_perRequest == 1) { Format.Write(_request, Reading(Acknowledged)); }
        else { Format.Write(_request, Enumerable.Range(0, _perRequest).Select(index => Reading(Acknowledged + index)).ToArray()); }
    }

    private static global::Backend.Reading Reading(long sequence) => new(sequence, Start.AddSeconds(sequence), 1000 + (sequence % 100));

    private void Send(long now, long patience)
    {
        var bytes = System.Runtime.InteropServices.MemoryMarshal.AsMemory(_request.WrittenMemory).Span;
        _shape.Number(bytes, _messageId++, (ulong)Acknowledged);
        _socket.Send(bytes, SocketFlags.None, out _);       // what the system refuses is repeated like what gets lost
        Due = now + patience;
    }

    // A separate response is acknowledged. A request of the server is rejected: the device has no resources.
    private void Answer(ReadOnlySpan<byte> datagram)
    {
        const byte Confirmable = 0x40, AcknowledgementType = 0x60, ResetType = 0x70;
        if ((datagram[0] & 0x30) != 0) { return; }
        var isResponse = datagram[1] >= Confirmable;
        _socket.Send([isResponse ? AcknowledgementType : ResetType, 0, datagram[2], datagram[3]], SocketFlags.None, out _);
    }
}
