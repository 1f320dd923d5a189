namespace CoAP.Benchmarks.Load.Tests;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class MeasuredFormatTests
{
    public static TheoryData<string> Names => [.. MeasuredFormat.All.Select(static format => format.Name)];

    [Theory, MemberData(nameof(Names))]
    public async Task Both_handlers_of_a_format_answer_every_request_as_expected(string name)
    {
        var format = MeasuredFormat.Of(name);
        await using var service = await PayloadsService.StartAsync(format);

        foreach (var load in new[] { PayloadsCommand.TypedLoad(format), PayloadsCommand.BytesLoad(format) })
        {
            var result = Load.Run(load with { Server = Loopback.EndPointOf(service), Limit = 200 });

            (result.Tally.Good >= 200, result.Tally.DescribeErrors(), result.Tally.Lost).Should().Be((true, "", 0));
        }
    }

    [Theory, MemberData(nameof(Names))]
    public void Requests_and_answers_of_both_handlers_have_the_same_lengths(string name)
    {
        var (typed, bytes) = (PayloadsCommand.TypedLoad(MeasuredFormat.Of(name)), PayloadsCommand.BytesLoad(MeasuredFormat.Of(name)));

        (bytes.Payload.Length, bytes.Expected.Length).Should().Be((typed.Payload.Length, typed.Expected.Length));
        typed.Expected.Should().NotEqual(typed.Payload, "an echo would not be noticed");
    }

    [Fact]
    public void Binary_formats_are_shorter_than_JSON()
    {
        int Length(string name) => MeasuredFormat.Of(name).Request.Length;

        Length("CBOR").Should().BeLessThan(Length("JSON"));
        Length("MessagePack").Should().BeLessThan(Length("JSON"));
        Length("SenML-CBOR").Should().BeLessThan(Length("SenML-JSON"));
    }
}
