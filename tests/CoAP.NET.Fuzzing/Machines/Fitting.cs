using CoAP.Fuzzing.Oracles;
namespace CoAP.Fuzzing.Machines;

/// <summary>Fits an answer of a script to a request that no script can know, as the bits of a kind say. All messages are datagrams.</summary>
internal static class Fitting
{
    public const int Id = 0x02;
    public const int Token = 0x04;
    public const int Block1 = 0x08;
    public const int Block2 = 0x10;

    /// <summary>The answer is repeated after each further request.</summary>
    public const int IsStanding = 0x40;

    private static readonly int[] Blocks1 = [27, 19];
    private static readonly int[] Blocks2 = [23, 31];

    public static byte[] Fit(int kind, byte[] message, byte[]? latest)
    {
        if (latest is null || DatagramOracle.Read(message) is null) { return message; }
        var (request, answer) = (WireMessage.Read(latest), WireMessage.Read(message));
        if ((kind & Id) != 0) { answer = answer with { Id = request.Id }; }
        if ((kind & Token) != 0) { answer = answer with { Token = answer.Code == 0 ? [] : request.Token }; }
        if ((kind & Block1) != 0) { answer = Copy(answer, request, Blocks1, keepsMore: false); }
        if ((kind & Block2) != 0) { answer = Copy(answer, request, Blocks2, keepsMore: true); }
        return answer.ToBytes();
    }

    // Number and size are those of the request. Whether more blocks follow is what the script says.
    private static WireMessage Copy(WireMessage answer, WireMessage request, int[] numbers, bool keepsMore)
    {
        if (request.Options.FirstOrDefault(one => numbers.Contains(one.Number)) is not { Value.Length: <= 3 } asked) { return answer; }
        var said = answer.Options.FirstOrDefault(one => one.Number == asked.Number);
        byte[] value = asked.Value.Length == 0 ? [0] : [.. asked.Value];
        if (keepsMore && said is { Value.Length: > 0 }) { value[^1] = (byte)((value[^1] & ~8) | (said.Value[^1] & 8)); }
        return answer with { Options = [.. answer.Options.Where(one => one.Number != asked.Number), new WireOption(asked.Number, value)] };
    }
}
