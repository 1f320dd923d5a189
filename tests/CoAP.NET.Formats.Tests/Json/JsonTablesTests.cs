using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace CoAP.Formats.Tests;

/// <summary>A peer cannot make the keys of a dictionary or the items of a set collide.</summary>
public sealed partial class JsonTablesTests
{
    private static readonly JsonFormat Reflecting = JsonFormat.WithReflection();
    private static readonly JsonFormat Generated = new(TableJson.Default);
    private static readonly JsonFormat WithOptions = new(TableJson.Default.Options);
    private static readonly JsonFormat WithFields = JsonFormat.WithReflection(new JsonSerializerOptions { IncludeFields = true });

    [Fact]
    public void Dictionaries_have_a_seeded_comparer()
    {
        foreach (var format in new[] { Reflecting, Generated, WithOptions })
        {
            Read<Dictionary<long, int>>(format, "{\"4294967297\":1}").Comparer.Should().BeSameAs(SeededComparer<long>.Default);
        }
        Read<Dictionary<int, int>>(Reflecting, "{\"7\":1}").Comparer.Should().BeSameAs(SeededComparer<int>.Default);
        Read<Dictionary<Guid, int>>(Reflecting, "{}").Comparer.Should().BeSameAs(SeededComparer<Guid>.Default);
        Read<Dictionary<DateTime, int>>(Reflecting, "{\"2000-01-01T00:00:00Z\":1}")
            .Comparer.Should().BeSameAs(SeededComparer<DateTime>.Default);
        Read<Dictionary<double, int>>(Reflecting, "{\"1.5\":1}").Comparer.Should().BeSameAs(SeededComparer<double>.Default);
        Read<Dictionary<DayOfWeek, int>>(Reflecting, "{\"Monday\":1}")
            .Comparer.Should().BeSameAs(SeededComparer<DayOfWeek>.Default);
        Read<ConcurrentDictionary<long, int>>(Reflecting, "{\"7\":1}").Comparer.Should().BeSameAs(SeededComparer<long>.Default);
    }

    [Fact]
    public void Dictionaries_of_an_interface_have_a_seeded_comparer() =>
        ((Dictionary<long, int>)Read<IDictionary<long, int>>(Reflecting, "{\"7\":1}"))
            .Comparer.Should().BeSameAs(SeededComparer<long>.Default);

    [Fact]
    public void Sets_have_a_seeded_comparer()
    {
        foreach (var format in new[] { Reflecting, Generated, WithOptions })
        {
            Read<HashSet<long>>(format, "[4294967297,2]").Comparer.Should().BeSameAs(SeededComparer<long>.Default);
        }
        Read<HashSet<double>>(Reflecting, "[1.5]").Comparer.Should().BeSameAs(SeededComparer<double>.Default);
        Read<HashSet<decimal>>(Reflecting, "[1.5]").Comparer.Should().BeSameAs(SeededComparer<decimal>.Default);
        Read<HashSet<long?>>(Reflecting, "[1,null]").Comparer.Should().BeSameAs(SeededComparer<long?>.Default);
        ((HashSet<TimeSpan>)Read<ISet<TimeSpan>>(Reflecting, "[\"00:00:01\"]"))
            .Comparer.Should().BeSameAs(SeededComparer<TimeSpan>.Default);
        Read<HashSet<(long, Guid)>>(WithFields, "[]").Comparer.Should().BeSameAs(SeededComparer<(long, Guid)>.Default);
    }

    [Fact]
    public void Tables_inside_of_other_values_have_a_seeded_comparer()
    {
        var read = Read<Plant>(Generated, "{\"Sensors\":[{\"4294967297\":[1]}]}");

        read.Sensors[0].Comparer.Should().BeSameAs(SeededComparer<long>.Default);
        read.Sensors[0].Values.Single().Comparer.Should().BeSameAs(SeededComparer<ulong>.Default);
    }

    [Fact]
    public void Tables_of_texts_and_of_objects_are_as_large_as_wanted()
    {
        var many = string.Join(',', Enumerable.Range(0, 5000));

        Read<HashSet<string>>(Reflecting, $"[\"{many.Replace(",", "\",\"", StringComparison.Ordinal)}\"]").Should().HaveCount(5000);
        Read<HashSet<long>>(Reflecting, $"[{many}]").Should().HaveCount(5000);
        Read<SortedSet<long>>(Reflecting, $"[{many}]").Should().HaveCount(5000);
    }

    [Theory]
    [InlineData(typeof(HashSet<Point>))]
    [InlineData(typeof(ImmutableHashSet<Point>))]
    [InlineData(typeof(List<HashSet<Point>>))]
    public void A_table_whose_hash_codes_can_be_foreseen_stays_small(Type type)
    {
        var items = string.Join(',', Enumerable.Range(0, 4097).Select(static number => $"{{\"X\":{number},\"Y\":0}}"));
        var json = type == typeof(List<HashSet<Point>>) ? $"[[{items}]]" : $"[{items}]";
        var read = () => typeof(JsonFormat).GetMethod(nameof(JsonFormat.Read), [typeof(ReadOnlyMemory<byte>)])!.MakeGenericMethod(type)
            .Invoke(Reflecting, [(ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(json)]);

        read.Should().Throw<System.Reflection.TargetInvocationException>().WithInnerException<CoapPayloadException>()
            .WithMessage("The array has more than 4096 items; at most 4096 are allowed*");
    }

    [Fact]
    public void A_table_that_the_framework_creates_stays_as_small_as_the_setting_says()
    {
        var format = JsonFormat.WithReflection(limits: new PayloadLimits { MaxForeseeableKeys = 2 });
        const string Three = "{\"1\":1,\"2\":2,\"3\":3}";
        Action[] reads =
        [
            () => Read<ImmutableDictionary<long, int>>(format, Three),
            () => Read<IReadOnlyDictionary<long, int>>(format, Three),
        ];

        Read<ImmutableDictionary<long, int>>(format, "{\"1\":1,\"2\":2}").Should().HaveCount(2);
        Read<IReadOnlyDictionary<long, int>>(format, "{\"1\":1,\"2\":2}").Should().HaveCount(2);
        reads.Should().AllSatisfy(read =>
            read.Should().Throw<CoapPayloadException>().WithMessage("The object has more than 2 members; at most 2 are allowed*"));
    }

    private static T Read<T>(JsonFormat format, string json) => format.Read<T>(Encoding.UTF8.GetBytes(json));

    internal sealed record Point(long X, long Y);

    internal sealed record Plant(List<Dictionary<long, HashSet<ulong>>> Sensors);

    [JsonSerializable(typeof(Dictionary<long, int>))]
    [JsonSerializable(typeof(HashSet<long>))]
    [JsonSerializable(typeof(Plant))]
    private sealed partial class TableJson : JsonSerializerContext;
}
