using CoAP.Vocabulary;

namespace CoAP.Tests.Vocabulary.Payloads;

/// <summary>What an error message says about a type that no format handles.</summary>
public sealed class TypeAdviceTests
{
    private record Open(int X);

    private sealed record Closed(int X, int Y) : Open(X);

    [Fact]
    public void Types_are_named_as_in_csharp()
    {
        TypeAdvice.NameOf(typeof(Dictionary<string, List<int[]>>)).Should().Be("Dictionary<System.String, List<System.Int32[]>>");
        TypeAdvice.NameOf(typeof(int?)).Should().Be("System.Int32?");
        TypeAdvice.NameOf(new { A = 1 }.GetType()).Should().Be("an anonymous type");
        TypeAdvice.NameOf(typeof(Closed)).Should().Be("CoAP.Tests.Vocabulary.Payloads.TypeAdviceTests.Closed");
    }

    [Theory]
    [InlineData(typeof(object), "Name the type*")]
    [InlineData(typeof(Task<int>), "Await the task*"), InlineData(typeof(ValueTask<int>), "Await the task*")]
    [InlineData(typeof(IEnumerable<Version>), "Pass an array, with ToArray(), and add typeof(System.Version[]) to the contracts of a format.")]
    [InlineData(typeof(List<Version>), "Add a format*or add typeof(List<System.Version>) to the contracts of a format.")]
    public void Advice_fits_the_type(Type type, string advice) => TypeAdvice.For(type, PayloadFormats.Default).Should().Match(advice);

    [Fact]
    public void A_type_whose_base_type_is_handled_may_be_sent_as_that()
    {
        var formats = PayloadFormats.Of(new OpenFormat());

        TypeAdvice.For(typeof(Closed), formats).Should().Match("To send the members of *Open only, name it as the type argument. Otherwise, add typeof(*Closed) to*");
        TypeAdvice.For(new { A = 1 }.GetType(), formats).Should().StartWith("Declare a record");
    }

    private sealed class OpenFormat() : PayloadFormat<Open>(65_003, "open")
    {
        protected override void Write(System.Buffers.IBufferWriter<byte> output, Open value) => throw new NotSupportedException();

        protected override Open Read(ReadOnlyMemory<byte> payload) => throw new NotSupportedException();
    }
}
