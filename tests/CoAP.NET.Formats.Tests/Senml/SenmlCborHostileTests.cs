namespace CoAP.Formats.Tests;

public sealed class SenmlCborHostileTests
{
    [Fact]
    public void Random_bytes_break_nothing() => HostileInputs.Run(Documents(), Read, seed: 8428);

    [Fact]
    public void Random_bytes_in_a_stream_break_nothing() =>
        HostileInputs.Run(Documents(), ReadStream, seed: 4828, fixedBytes: 32 << 10);     // a stream has a buffer of 8 KiB or more

    [Fact]
    public void Resolving_and_writing_preserves_a_pack_that_was_read()
    {
        var random = new Random(428);
        var documents = Documents();
        for (var i = 0; i < 20_000; i++)
        {
            var input = HostileInputs.Next(random, documents);
            try
            {
                var pack = SenmlCbor.Read(input);
                pack.ToMeasurements(DateTimeOffset.UnixEpoch.AddYears(60));
                SenmlCbor.Read(SenmlCbor.ToBytes(pack)).Should().Equal(pack, $"seed 428, input {i}");
            }
            catch (CoapPayloadException)
            {
                // Most inputs cannot be read.
            }
            catch (ArgumentException exception) when (exception.Message.Contains(": its only ", StringComparison.Ordinal))
            {
                // Some values are read that strict receivers refuse.
            }
        }
    }

    private static byte[][] Documents() => [.. SenmlExamples.All.Select(pack => SenmlCbor.ToBytes(SenmlExamples.Read(pack)))];

    private static void Read(byte[] input) => SenmlCbor.Read(input);

    private static void ReadStream(byte[] input)
    {
        foreach (var _ in SenmlStream.Read(new MemoryStream(input), ContentFormats.SensmlCbor))
        {
            // Only exceptions and allocations count.
        }
    }
}
