using CoAP.Fuzzing.Engine;

namespace CoAP.Fuzzing.Parsers;

/// <summary>Problem details in CBOR (RFC 9290).</summary>
internal sealed class ProblemTarget() : FuzzTarget("problems")
{
    public override IReadOnlyList<byte[]> Dictionary => Words.Cbor;

    public override void Run(FuzzInput input, Trace trace)
    {
        var bytes = input.Joined();
        ProblemDetails? problem = null;
        var isRead = Memory.Bounded(() => ProblemDetails.TryRead(bytes, out problem), bytes.Length, perByte: 32, fixedSum: 16 << 10);
        FuzzFailure.ThrowIf(isRead != (problem is not null), $"TryRead returns {isRead} with {problem}");
        trace.Add("read", isRead ? 1 : 0);
        if (problem is null) { return; }
        trace.Add("parts", (problem.Title is null ? 0 : 1) + (problem.Detail is null ? 0 : 2) + (problem.Instance is null ? 0 : 4) + (problem.ResponseCode is null ? 0 : 8)
            + (problem.BaseUri is null ? 0 : 16) + (problem.BaseLanguage is null ? 0 : 32) + (problem.BaseDirection is null ? 0 : 64));
        trace.AddSize("options", problem.UnprocessedOptions.Count);
        trace.AddSize("entries", problem.Entries.Count);
        _ = problem.ToString();
        var written = problem.ToBytes();
        FuzzFailure.ThrowIf(!ProblemDetails.TryRead(written, out var again), $"what was read is written as {Convert.ToHexString(written)}, which cannot be read");
        FuzzFailure.ThrowIf(!problem.Equals(again), $"what was read is written as {Convert.ToHexString(written)}, which reads as something else");
        FuzzFailure.ThrowIf(!again!.ToBytes().AsSpan().SequenceEqual(written), "the second writing differs from the first");
    }
}
