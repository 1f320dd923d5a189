using CoAP.Serialization;

namespace CoAP.Load;

/// <summary>The bytes of every request; only the message ID and the token differ.</summary>
internal sealed class RequestShape
{
    private const int DatagramHeader = 4;

    public RequestShape(LoadSettings settings)
    {
        var payload = new byte[settings.PayloadLength];
        payload.AsSpan().Fill((byte)'x');
        var message = new CoapMessage
        {
            Type = settings.IsConfirmable ? MessageType.Confirmable : MessageType.NonConfirmable,
            Code = settings.Method,
            Token = new Token(new byte[settings.TokenLength]),
            Options = settings.Options,
            Payload = payload,
        };
        IsDatagram = !settings.IsTcp;
        Bytes = (settings.IsTcp ? CoapMessageSerializer.Stream : CoapMessageSerializer.Datagram).Serialize(message);
        TokenLength = settings.TokenLength;
        TokenOffset = IsDatagram ? DatagramHeader : StreamFrame.HeaderLength(Bytes.Span[0]);
    }

    public ReadOnlyMemory<byte> Bytes { get; }

    public bool IsDatagram { get; }

    public int TokenLength { get; }

    public int TokenOffset { get; }
}
