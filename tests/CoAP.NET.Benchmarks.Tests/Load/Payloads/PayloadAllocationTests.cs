using System.Buffers;
using System.Globalization;
using CoAP.TestSupport;

namespace CoAP.Benchmarks.Load.Tests;

/// <summary>What typed payloads leave behind, counted instead of timed; alone, because the memory of requests is that of the whole process.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class PayloadAllocationTests
{
    private const int Count = 10_000;

    // The reading and its id take 160 bytes, and the changed copy of it 72.
    [Theory]
    [InlineData("CBOR", 256)]
    [InlineData("MessagePack", 256)]
    [InlineData("JSON", 512)]
    public void Reading_and_writing_allocates_little_more_than_the_values(string name, int most)
    {
        var (format, output) = (MeasuredFormat.Of(name), new ArrayBufferWriter<byte>(4096));

        var allocated = Allocations.Of(() => Repeat(format, output));

        (allocated / (double)Count).Should().BeLessThan(most);
    }

    [Theory]
    [InlineData("CBOR", 512)]
    [InlineData("MessagePack", 512)]
    [InlineData("JSON", 768)]
    public async Task A_typed_handler_allocates_little_more_for_a_request_than_one_with_bytes(string name, int most)
    {
        var format = MeasuredFormat.Of(name);
        await using var service = await PayloadsService.StartAsync(format);

        var typed = BytesPerRequest(service, PayloadsCommand.TypedLoad(format));
        var bytes = BytesPerRequest(service, PayloadsCommand.BytesLoad(format));

        (typed - bytes).Should().BeLessThan(most, "{0} bytes are allocated for a request with a value, {1} for one with bytes", typed, bytes);
    }

    private static void Repeat(MeasuredFormat format, ArrayBufferWriter<byte> output)
    {
        for (var at = 0; at < Count; at++)
        {
            output.ResetWrittenCount();
            format.Convert(format.Request, output);
        }
    }

    private static double BytesPerRequest(IService service, LoadSettings settings)
    {
        using var load = new Load(settings with { Server = Loopback.EndPointOf(service), Limit = Count });
        load.Measure(settings.Duration);
        var (handled, allocated) = (Ask(service, PayloadsService.Handled), Ask(service, PayloadsService.Allocated));
        load.Measure(settings.Duration);
        allocated = Ask(service, PayloadsService.Allocated) - allocated;
        handled = Ask(service, PayloadsService.Handled) - handled;
        handled.Should().BeGreaterThanOrEqualTo(Count);
        return (double)allocated / handled;
    }

    private static long Ask(IService service, string question) => long.Parse(service.Answer(question), CultureInfo.InvariantCulture);
}
