namespace CoAP.Benchmarks;

/// <summary>The message of the case study: version 1, ACK, 8 random bytes of token, 2.01, a random message ID, Uri-Path options, a random payload.</summary>
internal static class GridMessage
{
    public static CoapOption[] Options(int seed, int count, int valueLength)
    {
        const string Letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
        var random = new Random(seed);
        var options = new CoapOption[count];
        for (var i = 0; i < count; i++) { options[i] = new UriPath(random.GetString(Letters, valueLength)); }
        return options;
    }

    /// <summary>Creates the message. The same seed gives the same message.</summary>
    public static CoapMessage Create(int seed, ReadOnlySpan<CoapOption> options, int payload)
    {
        var random = new Random(seed);
        var token = new byte[8];
        var body = new byte[payload];
        random.NextBytes(token);
        random.NextBytes(body);
        return new CoapMessage
        {
            Type = MessageType.Acknowledgement,
            Code = ResponseCode.Created,
            MessageId = new((ushort)random.Next(1 << 16)),
            Token = new(token),
            Options = OptionSet.Create(options),
            Payload = body,
        };
    }

    public static CoapMessage Create(int seed, int options, int valueLength, int payload) => Create(seed, Options(seed, options, valueLength), payload);
}
