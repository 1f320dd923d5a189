namespace CoAP.Formats.Tests;

public sealed class DiagnosticTests
{
    private const string Set = " [PayloadContract(typeof(Item))] internal sealed partial class Contracts : PayloadContracts { }";

    private const string Marked = "internal record Item(int A); [PayloadContract(typeof(Item))] ";

    [Theory]
    [InlineData("COAP001", Marked + "internal sealed class Contracts : PayloadContracts { }", "Contracts must be partial")]
    [InlineData("COAP001", "internal record Item(int A); internal class Outer {" + Set + " }", "Outer must be partial")]
    [InlineData("COAP002", Marked + "internal sealed partial class Contracts { }", "Contracts must derive from")]
    [InlineData("COAP010", Marked + "internal sealed partial class Contracts<T> : PayloadContracts { }", "has type parameters")]
    [InlineData("COAP010", Marked + "internal abstract partial class Contracts : PayloadContracts { }", "is abstract")]
    public void A_class_that_cannot_be_completed_is_an_error(string id, string source, string text) => Check(id, source, text, alone: false);

    [Theory]
    [InlineData("COAP003", "internal record Item(System.IO.Stream A);", "Item.A cannot be written as a payload: Stream has no contract")]
    [InlineData("COAP003", "internal record Item(object A);", "object can be of any type")]
    [InlineData("COAP003", "internal record Item((int, int) A);", "use a record")]
    [InlineData("COAP003", "internal record Item(int[,] A);", "int[,] has no contract")]
    [InlineData("COAP003", "internal record Item(Action A);", "neither a class")]
    [InlineData("COAP003", "internal record Item(Stack<int> A);", "Stack<int> has no contract")]
    [InlineData("COAP003", "internal class Own : List<int> { } internal record Item(Own A);", "Own is a collection")]
    [InlineData("COAP003", "internal record Item(HashSet<double> A);", "and double is none of them")]
    [InlineData("COAP003", "internal record Item(Dictionary<object, int> A);", "object can be of any type")]
    [InlineData("COAP004", "internal class Item { public int A { get; set; } [JsonPropertyName(\"A\")] public int B { get; set; } }",
        "Item.B has the key \"A\"")]
    [InlineData("COAP004", "internal class Item { [PayloadKey(1)] public int A { get; set; } [PayloadKey(1)] public int B { get; set; } }",
        "Item.B has the key 1")]
    [InlineData("COAP005", "internal abstract class Item { }", "Item is abstract")]
    [InlineData("COAP005", "internal interface IThing { } internal record Item(IThing A);", "IThing is an interface")]
    [InlineData("COAP006", "internal class Item { private Item() { } public int A { get; set; } }", "it has no public constructor")]
    [InlineData("COAP006", "internal class Item { public Item(int b) { } public int A { get; set; } }",
        "the parameter b of its constructor has no property")]
    [InlineData("COAP006", "internal class Item { public Item(int b) { } public Item(long c) { } }", "each of its constructors")]
    [InlineData("COAP006",
        "internal class Item { [JsonConstructor] public Item() { } [JsonConstructor] public Item(int a) { } public int A { get; } }",
        "several constructors")]
    [InlineData("COAP006", "internal class Item { [JsonConstructor] internal Item() { } }", "the marked constructor is not public")]
    [InlineData("COAP006", "internal record Item([property: JsonIgnore] int A);", "the parameter A belongs to a property that is left out")]
    [InlineData("COAP008", "internal class Item { [JsonRequired] public int A { get; } }", "Item.A is required, but it has neither")]
    [InlineData("COAP008", "internal class Item { [PayloadIgnore] public required int A { get; set; } }", "it is left out")]
    [InlineData("COAP008", "internal class Item { public required int A = 1; }", "it is a field")]
    [InlineData("COAP009", "[JsonDerivedType(typeof(Sub))] internal class Item { } internal class Sub : Item { }", "[JsonDerivedType]")]
    [InlineData("COAP012", "internal class Item { [JsonIgnore(Condition = (JsonIgnoreCondition)4)] public int A { get; set; } }",
        "Item.A has a condition")]
    public void A_type_without_a_contract_is_the_only_error(string id, string types, string text) => Check(id, types + Set, text, alone: true);

    [Fact]
    public void A_type_that_the_contracts_cannot_see_is_an_error() => Check("COAP007",
        "internal class Item { private class Hidden { } public Hidden? A { get; set; } }" + Set,
        "Hidden is not accessible from Contracts", alone: false);

    [Fact]
    public void An_open_type_is_an_error() => Check("COAP011",
        "internal record Page<T>(T A); [PayloadContract(typeof(Page<>))] internal sealed partial class Contracts : PayloadContracts { }",
        "Page", alone: true);

    private static void Check(string id, string source, string text, bool alone)
    {
        var found = GeneratorRun.Diagnose(source);

        found.Where(one => one.Id == id).Should().ContainSingle().Which.GetMessage().Should().Contain(text);
        found.Single(one => one.Id == id).Location.SourceTree.Should().BeNull("the location is kept without its tree");
        found.Single(one => one.Id == id).Location.GetLineSpan().Path.Should().Be("Source.cs");
        if (alone) { found.Should().ContainSingle(); }
    }
}
