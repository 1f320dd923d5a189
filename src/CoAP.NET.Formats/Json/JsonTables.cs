using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text.Json.Serialization.Metadata;

namespace CoAP.Formats;

/// <summary>Creates the dictionaries and sets that System.Text.Json reads with <see cref="SeededComparer{T}"/>.</summary>
/// <remarks>
/// That is possible if the framework has the collection and the comparer supports its keys. Of other hash tables,
/// <see cref="IsForeseeable"/> tells, so that they stay small. Texts need no comparer: their hash codes have a secret in each process.
/// </remarks>
internal static class JsonTables
{
    private static readonly string[] Dictionaries =
    [
        "Dictionary`2", "IDictionary`2", "IReadOnlyDictionary`2", "ConcurrentDictionary`2", "OrderedDictionary`2",
        "ImmutableDictionary`2", "IImmutableDictionary`2",
    ];

    private static readonly string[] Sets = ["HashSet`1", "ISet`1", "IReadOnlySet`1", "ImmutableHashSet`1", "IImmutableSet`1"];

    private static readonly Dictionary<Type, object> Comparers = new()
    {
        [typeof(sbyte)] = SeededComparer<sbyte>.Default,
        [typeof(byte)] = SeededComparer<byte>.Default,
        [typeof(short)] = SeededComparer<short>.Default,
        [typeof(ushort)] = SeededComparer<ushort>.Default,
        [typeof(int)] = SeededComparer<int>.Default,
        [typeof(uint)] = SeededComparer<uint>.Default,
        [typeof(long)] = SeededComparer<long>.Default,
        [typeof(ulong)] = SeededComparer<ulong>.Default,
        [typeof(Int128)] = SeededComparer<Int128>.Default,
        [typeof(UInt128)] = SeededComparer<UInt128>.Default,
        [typeof(BigInteger)] = SeededComparer<BigInteger>.Default,
        [typeof(Half)] = SeededComparer<Half>.Default,
        [typeof(float)] = SeededComparer<float>.Default,
        [typeof(double)] = SeededComparer<double>.Default,
        [typeof(decimal)] = SeededComparer<decimal>.Default,
        [typeof(char)] = SeededComparer<char>.Default,
        [typeof(Guid)] = SeededComparer<Guid>.Default,
        [typeof(DateTime)] = SeededComparer<DateTime>.Default,
        [typeof(DateTimeOffset)] = SeededComparer<DateTimeOffset>.Default,
        [typeof(DateOnly)] = SeededComparer<DateOnly>.Default,
        [typeof(TimeOnly)] = SeededComparer<TimeOnly>.Default,
        [typeof(TimeSpan)] = SeededComparer<TimeSpan>.Default,
        [typeof(Version)] = SeededComparer<Version>.Default,
    };

    private static readonly ConditionalWeakTable<JsonTypeInfo, object> Seeded = [];

    /// <summary>Lets a collection be created with a seeded comparer, if that is possible.</summary>
    public static void Seed(JsonTypeInfo type)
    {
        if (KeyOf(type) is not { } key || ComparerOf(key) is not { } comparer || IgnoresCreator(type.Type)) { return; }
        if (type.CreateObject?.Invoke() is not { } empty) { return; }
        if (CreatorOf(empty.GetType(), comparer) is not { } create) { return; }
        type.CreateObject = create;
        Seeded.AddOrUpdate(type, create);
    }

    /// <summary>Returns whether a value of the type can contain a hash table whose hash codes a peer can foresee.</summary>
    public static bool IsForeseeable(JsonTypeInfo type) => HasForeseeable(type, []);

    private static bool HasForeseeable(JsonTypeInfo type, HashSet<Type> seen)
    {
        if (!seen.Add(type.Type)) { return false; }
        if (KeyOf(type) is { } key && !IsSafe(key) && !Seeded.TryGetValue(type, out _)) { return true; }
        var parts = type.Properties.Select(static property => property.PropertyType)
            .Concat([type.KeyType, type.ElementType])
            .Concat(type.PolymorphismOptions?.DerivedTypes.Select(static derived => derived.DerivedType) ?? []);
        return parts.OfType<Type>().Any(part => type.Options.TryGetTypeInfo(part, out var found) && HasForeseeable(found, seen));
    }

    // The converters of these create a table of their own.
    private static bool IgnoresCreator(Type type) => type.Name.StartsWith("IReadOnly", StringComparison.Ordinal);

    // The type of the keys of a hash table; null if the type is none.
    private static Type? KeyOf(JsonTypeInfo type)
    {
        var (names, key) = type.Kind switch
        {
            JsonTypeInfoKind.Dictionary => (Dictionaries, type.KeyType),
            JsonTypeInfoKind.Enumerable => (Sets, type.ElementType),
            _ => ([], null),
        };
        for (var one = type.Type; one is not null; one = one.BaseType)
        {
            if (names.Contains(one.Name)) { return key; }
        }
        return null;
    }

    private static object? ComparerOf(Type key) => Comparers.GetValueOrDefault(key)
        ?? (RuntimeFeature.IsDynamicCodeSupported && IsComposed(key) ? Create(key) : null);

    private static bool IsComposed(Type key) => key.IsEnum
        || (key.IsGenericType && key.Name.StartsWith("ValueTuple`", StringComparison.Ordinal) | key.Name == "Nullable`1"
            && key.GetGenericArguments().All(static part => part == typeof(string) || Comparers.ContainsKey(part) || IsComposed(part)));

    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "The comparer and its property are used above.")]
    [UnconditionalSuppressMessage("Trimming", "IL2055", Justification = "The comparer has no requirements of its keys.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Called only if code can be created.")]
    private static object? Create(Type key) =>
        typeof(SeededComparer<>).MakeGenericType(key).GetProperty(nameof(SeededComparer<>.Default))!.GetValue(null);

    // A collection whose constructor is not there after trimming stays as it is, and is small then.
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A constructor that is missing is not used.")]
    private static Func<object>? CreatorOf(Type collection, object comparer)
    {
        if (collection.Namespace?.StartsWith("System.Collections.", StringComparison.Ordinal) != true) { return null; }
        foreach (var constructor in collection.GetConstructors())
        {
            var parameters = constructor.GetParameters();
            if (parameters is [var only] && only.ParameterType.IsInstanceOfType(comparer)) { return () => constructor.Invoke([comparer]); }
            if (parameters is [var capacity, var last] && capacity.ParameterType == typeof(int) && last.ParameterType.IsInstanceOfType(comparer))
            {
                return () => constructor.Invoke([0, comparer]);
            }
        }
        return null;
    }

    // The hash codes of objects without equality of their own are random.
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A method that is missing is that of the object.")]
    private static bool IsSafe(Type key) => key == typeof(string) || key == typeof(bool) || key == typeof(byte) || key == typeof(sbyte)
        || (key.IsClass && key.GetMethod(nameof(GetHashCode), [])?.DeclaringType == typeof(object));
}
