using System.Buffers;

namespace CoAP.Vocabulary;

/// <summary>application/concise-problem-details+cbor (RFC 9290).</summary>
internal sealed class ProblemsFormat() : PayloadFormat<ProblemDetails>(ContentFormats.ConciseProblemDetails, "problem details")
{
    protected override void Write(IBufferWriter<byte> output, ProblemDetails value) => output.Write(value.ToBytes());

    protected override ProblemDetails Read(ReadOnlyMemory<byte> payload) => ProblemDetails.TryRead(payload, out var problem)
        ? problem
        : throw new CoapPayloadException("The payload is not valid problem details (RFC 9290, section 2).");
}
