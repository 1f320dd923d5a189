using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Tests.Formats;

public sealed class IntStreamsTests
{
    public static TheoryData<string> Formats => [.. IntStreams.Of(FormatSet.Raised).Select(static one => one.Format)];

    public static TheoryData<string> AsyncFormats =>
        [.. IntStreams.Of(FormatSet.Raised).Where(static one => one.WriteAsync is not null).Select(static one => one.Format)];

    [Theory]
    [MemberData(nameof(Formats))]
    public void A_list_is_the_same_after_writing_and_reading_item_by_item(string format)
    {
        var form = Form(format);
        var sequence = new IntSequence(42, 100_000);
        using var stream = new MemoryStream();
        var list = new IntCollector();

        form.Write(stream, sequence.ToArray());
        stream.Position = 0;
        form.Read(stream, list);

        sequence.Matches(list).Should().BeTrue();
    }

    [Theory]
    [MemberData(nameof(AsyncFormats))]
    public async Task A_list_is_the_same_after_writing_and_reading_it_asynchronously(string format)
    {
        var form = Form(format);
        var sequence = new IntSequence(42, 100_000);
        using var stream = new MemoryStream();
        var list = new IntCollector();

        await form.WriteAsync!(stream, sequence.ToArray());
        stream.Position = 0;
        await form.ReadAsync!(stream, list);

        sequence.Matches(list).Should().BeTrue();
    }

    [Fact]
    public void Only_Protobuf_has_no_asynchronous_form() =>
        IntStreams.Of(FormatSet.Raised).Where(static one => one.WriteAsync is null).Select(static one => one.Format)
            .Should().Equal(FormatNames.Protobuf);

    private static IntStream Form(string format) => IntStreams.Of(FormatSet.Raised).First(one => one.Format == format);
}
