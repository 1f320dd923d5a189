namespace CoAP.Options;

/// <summary>The registered options against a table typed from the RFCs.</summary>
public class OptionTableTests
{
    private const string Table = """
        # code  number  C U N R  name                   format  min  max   RFC
        0.00    1       x - - x  If-Match               opaque  0    8     7252
        0.00    3       x x - -  Uri-Host               string  1    255   7252
        0.00    4       - - - x  ETag                   opaque  1    8     7252
        0.00    5       x - - -  If-None-Match          empty   0    0     7252
        0.00    6       - x - -  Observe                uint    0    3     7641
        0.00    7       x x - -  Uri-Port               uint    0    2     7252
        0.00    8       - - - x  Location-Path          string  0    255   7252
        0.00    9       x - - -  OSCORE                 opaque  0    255   8613
        0.00    11      x x - x  Uri-Path               string  0    255   7252
        0.00    12      - - - -  Content-Format         uint    0    2     7252
        0.00    14      - x - -  Max-Age                uint    0    4     7252
        0.00    15      x x - x  Uri-Query              string  0    255   7252
        0.00    16      - - - -  Hop-Limit              uint    1    1     8768
        0.00    17      x - - -  Accept                 uint    0    2     7252
        0.00    19      x x - -  Q-Block1               uint    0    3     9177
        0.00    20      - - - x  Location-Query         string  0    255   7252
        0.00    21      x - - -  EDHOC                  empty   0    0     9668
        0.00    23      x x - -  Block2                 uint    0    3     7959
        0.00    27      x x - -  Block1                 uint    0    3     7959
        0.00    28      - - x -  Size2                  uint    0    4     7959
        0.00    31      x x - x  Q-Block2               uint    0    3     9177
        0.00    35      x x - -  Proxy-Uri              string  1    1034  7252
        0.00    39      x x - -  Proxy-Scheme           string  1    255   7252
        0.00    60      - - x -  Size1                  uint    0    4     7252
        0.00    252     - - x -  Echo                   opaque  1    40    9175
        0.00    258     - x - -  No-Response            uint    0    1     7967
        0.00    292     - - - x  Request-Tag            opaque  0    8     9175
        7.01    2       - x - -  Max-Message-Size       uint    0    4     8323
        7.01    4       - - - -  Block-Wise-Transfer    empty   0    0     8323
        7.01    6       - x - -  Extended-Token-Length  uint    0    3     8974
        7.02    2       - x - -  Custody                empty   0    0     8323
        7.03    2       - x - -  Custody                empty   0    0     8323
        7.04    2       - x - x  Alternative-Address    string  1    255   8323
        7.04    4       - - - -  Hold-Off               uint    0    3     8323
        7.05    2       - x - -  Bad-CSM-Option         uint    0    2     8323
        7.01    9       x - - -  OSCORE                 opaque  0    255   8613
        7.31    9       x - - -  OSCORE                 opaque  0    255   8613
        """;

    public static TheoryData<string> Rows => new(Lines);

    private static IEnumerable<string> Lines => Table.Split('\n').Skip(1).Select(row => row.Trim());

    [Theory]
    [MemberData(nameof(Rows))]
    [Trait("RFC", "7252 5.10")]
    [Trait("RFC", "8323 5")]
    public void Declares_number_name_limits_and_repeatability_as_registered(string row)
    {
        var (code, number, fields) = Parse(row);

        OptionRegistry.Default.TryFind(number, code, out var declaration).Should().BeTrue();

        declaration!.Number.Should().Be(number);
        declaration.Name.Should().Be(fields[6]);
        declaration.MinLength.Should().Be(int.Parse(fields[8]));
        declaration.MaxLength.Should().Be(int.Parse(fields[9]));
        declaration.IsRepeatable.Should().Be(fields[5] == "x");
    }

    [Theory]
    [MemberData(nameof(Rows))]
    [Trait("RFC", "7252 5.4.6")]
    public void Tells_critical_unsafe_and_no_cache_key_from_the_number(string row)
    {
        var (code, number, fields) = Parse(row);
        OptionRegistry.Default.TryFind(number, code, out var declaration);

        var option = declaration!.Create(Sample(fields))!;

        option.IsCritical.Should().Be(fields[2] == "x");
        option.IsUnsafe.Should().Be(fields[3] == "x");
        option.IsNoCacheKey.Should().Be(fields[4] == "x");
        option.IsRepeatable.Should().Be(fields[5] == "x");
        (option switch { UIntOption => "uint", StringOption => "string", OpaqueOption => "opaque", _ => "empty" }).Should().Be(fields[7]);
    }

    [Theory]
    [MemberData(nameof(Rows))]
    [Trait("RFC", "7252 5.4.3")]
    public void Takes_values_within_the_limits_only(string row)
    {
        var (code, number, fields) = Parse(row);
        OptionRegistry.Default.TryFind(number, code, out var declaration);
        int min = int.Parse(fields[8]), max = int.Parse(fields[9]);

        declaration!.Create(new byte[max + 1]).Should().BeNull("one byte more than {0}", max);
        if (min > 0) { declaration.Create(new byte[min - 1]).Should().BeNull("one byte less than {0}", min); }

        declaration.Create(Enumerable.Repeat((byte)1, max).ToArray()).Should().NotBeNull();
        declaration.Create(Sample(fields))!.Number.Should().Be(number);
    }

    [Theory]
    [MemberData(nameof(Rows))]
    public void Writes_the_value_that_it_read(string row)
    {
        var (code, number, fields) = Parse(row);
        OptionRegistry.Default.TryFind(number, code, out var declaration);
        var value = Sample(fields);

        var option = declaration!.Create(value)!;
        var written = new byte[option.ValueLength];
        option.WriteValue(written);

        written.Should().Equal(value);
        option.Should().Be(declaration.Create(value));
        option.GetHashCode().Should().Be(declaration.Create(value)!.GetHashCode());
    }

    [Fact]
    public void Holds_nothing_beyond_the_table()
    {
        OptionRegistry.Default.Declarations.Select(declaration => declaration.Name).Distinct()
            .Should().BeEquivalentTo(Lines.Select(row => Parse(row).Fields[6]).Distinct());
    }

    private static byte[] Sample(string[] fields) => fields[7] switch
    {
        "empty" => [],
        "uint" => [(byte)(fields[6] == "Extended-Token-Length" ? 32 : 7)],
        _ => "ab"u8.ToArray(),
    };

    private static (CoapCode Code, int Number, string[] Fields) Parse(string row)
    {
        var fields = row.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return (new CoapCode(fields[0][0] - '0', int.Parse(fields[0][2..])), int.Parse(fields[1]), fields);
    }
}
