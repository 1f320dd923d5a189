using System.Text;

namespace CoAP.Benchmarks;

/// <summary>One small message, encoded and decoded by hand-written code and by the library.</summary>
internal sealed class SmallMessage : IDisposable
{
    private readonly CoapMessageSerializer _serializer = CoapMessageSerializer.Datagram;
    private readonly CoapMessage _message;
    private readonly byte[] _bytes;
    private readonly PlainMessage _plain;
    private readonly MemoryStream _stream;

    private SmallMessage(string name, int size, CoapMessage message)
    {
        (Name, _message) = (name, message);
        _bytes = _serializer.Serialize(_message);
        _plain = PlainParser.Parse(_bytes)!;
        _stream = new MemoryStream(_bytes);
        var isSame = PlainWriter.Write(_plain).AsSpan().SequenceEqual(_bytes) && HandWrittenRead() == ReadTyped() && GetTyped() == ReadTyped();
        if (_bytes.Length != size || !isSame) { throw new InvalidOperationException($"{name}: {_bytes.Length} bytes, {HandWrittenRead()} and {ReadTyped()} read."); }
    }

    /// <summary>A GET of 21 bytes, a response of 50 bytes, and a block of 1,024 bytes.</summary>
    public static IReadOnlyList<SmallMessage> All { get; } =
    [
        new("GET", 21, new CoapMessage
        {
            Code = RequestCode.Get,
            MessageId = new(0x7d34),
            Token = new([0x4a, 0x11, 0xc2, 0x07]),
            Options = [new UriPath("sensors"), new UriPath("temp")],
        }),
        new("2.05", 50, ResponseOf("{\"temperature\":22.31,\"unit\":\"C\"}"u8.ToArray(), new ContentFormat(50), new MaxAge(30))),
        new("block", 1024 + 18, ResponseOf(new byte[1024], new ContentFormat(42), new Block2(4, hasMore: true, sizeExponent: 6))),
    ];

    public string Name { get; }

    public PlainMessage HandWrittenDecode() => PlainParser.Parse(_bytes)!;

    public CoapMessage Decode() => _serializer.Deserialize(_bytes.AsSpan());

    /// <summary>Decodes the message and reads every option value as a text, a number or a copy of its bytes.</summary>
    public long HandWrittenRead()
    {
        var message = PlainParser.Parse(_bytes)!;
        var sum = 0L;
        foreach (ref readonly var option in message.Options.AsSpan())
        {
            var value = message.Value(option);
            sum += option.Number switch
            {
                3 or 8 or 11 or 15 or 20 => Encoding.UTF8.GetString(value).Length,
                1 or 4 => value.ToArray().Length,
                _ => ReadUInt(value),
            };
        }
        return sum;
    }

    /// <summary>Decodes the message and reads every option as its type.</summary>
    public long ReadTyped()
    {
        var sum = 0L;
        foreach (var option in _serializer.Deserialize(_bytes.AsSpan()).Options)
        {
            sum += option switch
            {
                UriPath segment => segment.Value.Length,
                ContentFormat format => format.Value,
                MaxAge age => age.Value,
                ETag tag => tag.Value.Length,
                Block2 block => block.Value,
                _ => throw new InvalidOperationException($"The option {option} is not read."),
            };
        }
        return sum;
    }

    /// <summary>Decodes the message and gets every option by its type.</summary>
    public long GetTyped()
    {
        var options = _serializer.Deserialize(_bytes.AsSpan()).Options;
        var sum = 0L;
        if (options.Contains<UriPath>())
        {
            foreach (var segment in options.GetAll<UriPath>()) { sum += segment.Value.Length; }
        }
        if (options.Get<ETag>() is { } tag) { sum += tag.ValueLength; }
        if (options.Get<ContentFormat>() is { } format) { sum += format.Value; }
        if (options.Get<MaxAge>() is { } age) { sum += age.Value; }
        if (options.Get<Block2>() is { } block) { sum += block.Value; }
        return sum;
    }

    public byte[] HandWrittenEncode() => PlainWriter.Write(_plain);

    public byte[] Encode() => _serializer.Serialize(_message);

    public CoapMessage? FromStream()
    {
        _stream.Position = 0;
        return _serializer.Deserialize(_stream);
    }

    public ValueTask<CoapMessage?> FromStreamAsync()
    {
        _stream.Position = 0;
        return _serializer.DeserializeAsync(_stream);
    }

    public void Dispose() => _stream.Dispose();

    private static CoapMessage ResponseOf(byte[] payload, params CoapOption[] options) => new()
    {
        Type = MessageType.Acknowledgement,
        Code = ResponseCode.Content,
        MessageId = new(0x7d34),
        Token = new([0x4a, 0x11, 0xc2, 0x07]),
        Options = [new ETag(new byte[] { 1, 2, 3, 4 }), .. options],
        Payload = payload,
    };

    private static uint ReadUInt(ReadOnlySpan<byte> value)
    {
        var result = 0U;
        foreach (var part in value) { result = (result << 8) | part; }
        return result;
    }
}
