using System.Buffers.Binary;
using CoAP.Fuzzing.Engine;
using CoAP.Options;

namespace CoAP.Fuzzing.Parsers;

/// <summary>
/// Values of single options. Each step is a code, a number in two bytes, and a value. Blocks and No-Response are compared with the bits of
/// their RFCs.
/// </summary>
internal sealed class OptionTarget() : FuzzTarget("options")
{
    private static readonly int[] Blocks = [19, 23, 27, 31];

    public override IReadOnlyList<byte[]> Dictionary { get; } =
    [
        .. OptionRegistry.Default.Declarations.Select(one => new byte[] { 1, (byte)(one.Number >> 8), (byte)one.Number }),
        .. new byte[][] { [0xE1], [0xE2], [0xE4], [0xE5], [0xFF, 0xFF], [0xC3, 0x28], [0x01, 0x01, 0x01, 0x0D] },
    ];

    public override void Run(FuzzInput input, Trace trace)
    {
        foreach (var step in input.Steps.Where(step => step.Length >= 3))
        {
            Examine(new CoapCode(step[0]), BinaryPrimitives.ReadUInt16BigEndian(step.AsSpan(1)), step[3..], trace);
        }
    }

    private static void Examine(CoapCode code, int number, byte[] value, Trace trace)
    {
        if (!OptionRegistry.Default.TryFind(number, code, out var declaration))
        {
            trace.Add("unknown", 0);
            return;
        }
        var isValid = declaration.IsValid(value);
        var option = Memory.Bounded(() => declaration.Create(value), value.Length, perByte: 4);
        trace.Add(declaration.Name, isValid ? 1 : 0);
        trace.AddSize($"{declaration.Name} length", value.Length);
        FuzzFailure.ThrowIf(isValid != (option is not null), $"{declaration.Name} {Convert.ToHexString(value)}: IsValid says {isValid}, and Create makes {option}");
        FuzzFailure.ThrowIf(isValid && (value.Length < declaration.MinLength || value.Length > declaration.MaxLength), $"{declaration.Name} takes {value.Length} bytes");
        if (option is null) { return; }
        FuzzFailure.ThrowIf(option.Number != number || option.ToString().Length == 0, $"{option} has another number than {number}");
        CheckBits(option, value);
        var set = OptionSet.Create([option]);
        FuzzFailure.ThrowIf(!set.TryGetValue(number, out var written), $"{option} was not written");
        var again = declaration.Create(written);
        FuzzFailure.ThrowIf(!option.Equals(again), $"{option} is written as {Convert.ToHexString(written)}, which reads as {again}");
        FuzzFailure.ThrowIf(!set.Without(number).IsEmpty || set.With().Count != 1, $"{option} cannot be removed");
    }

    private static void CheckBits(CoapOption option, byte[] value)
    {
        long number = 0;
        foreach (var one in value) { number = (number << 8) | one; }
        // RFC 7959, section 2.2: NUM is all but the last four bits, then M, then SZX.
        if (option is BlockOption block)
        {
            FuzzFailure.ThrowIf(!Blocks.Contains(option.Number), $"{option} is no block option");
            var isRight = block.BlockNumber == number / 16 && block.HasMore == (number % 16 >= 8) && block.SizeExponent == number % 8;
            FuzzFailure.ThrowIf(!isRight, $"{Convert.ToHexString(value)} reads as {option}");
        }
        // RFC 7967, section 2.1: 2 is for 2.xx, 8 for 4.xx, 16 for 5.xx.
        if (option is NoResponse no)
        {
            var isRight = no.Suppresses(ResponseCode.Content) == ((number & 2) != 0) && no.Suppresses(ResponseCode.NotFound) == ((number & 8) != 0)
                && no.Suppresses(ResponseCode.BadGateway) == ((number & 16) != 0);
            FuzzFailure.ThrowIf(!isRight, $"{Convert.ToHexString(value)} suppresses something else");
        }
    }
}
