using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace CoAP.Formats.Tests;

/// <summary>JSON refuses what the contracts of the other formats refuse.</summary>
public sealed class JsonStrictnessTests
{
    private static readonly JsonFormat Format = new(SampleJson.Default), Lenient = new(SampleJson.Default.Options);

    [Fact]
    public void An_object_without_a_member_that_the_constructor_needs_is_refused()
    {
        Error<Strict>("{\"name\":\"a\"}").Message.Should().StartWith("The JSON object at $ lacks 'count', 'rate' (at byte");
        Error<Strict>("{\"Name\":\"a\",\"Count\":1,\"Rate\":1}").Message.Should().StartWith("The JSON object at $ lacks 'name', 'count', 'rate'");
        Read<Strict>(Format, "{\"name\":\"a\",\"count\":1,\"rate\":2}").Should().BeEquivalentTo(new Strict("a", 1, 2, null, 0));
        Read<Strict>(Lenient, "{}").Count.Should().Be(0);
    }

    [Fact]
    public void A_value_is_read_back_even_if_members_were_omitted()
    {
        var value = new Strict("a", 0, 0, null, 0);

        Format.Read<Strict>(JsonFormatTests.Written(Format, value)).Should().BeEquivalentTo(value);
    }

    [Theory]
    [InlineData("name", "{\"name\":null,\"count\":1,\"rate\":1}")]
    [InlineData("raw", "{\"name\":\"a\",\"count\":1,\"rate\":1,\"raw\":null}")]
    public void Null_is_refused_where_the_type_does_not_allow_it(string member, string json)
    {
        Error<Strict>(json).Message.Should().StartWith($"The JSON value at $.{member} is null; a value is required (at byte ");
        Read<Strict>(Lenient, json).Count.Should().Be(1);
    }

    [Fact]
    public void Null_is_named_that_the_options_do_not_let_be_written()
    {
        var format = new JsonFormat(new JsonSerializerOptions(SampleJson.Default.Options) { RespectNullableAnnotations = true });

        FluentActions.Invoking(() => JsonFormatTests.Written(format, new Strict(null!, 1, 1, null, 1))).Should().Throw<ArgumentException>()
            .WithMessage("The Strict cannot be written as JSON: $.name is null, but its type does not allow null.*");
    }

    [Fact]
    public void An_unknown_name_may_occur_twice_because_it_is_skipped_both_times()
    {
        Read<Fixed>(Format, "{\"x\":1,\"number\":5,\"x\":2}").Number.Should().Be(5);
        Error<Fixed>("{\"number\":5,\"x\":1,\"number\":6}").Message.Should().StartWith("The JSON object has a name twice");
        var known = JsonUnmappedMemberHandling.Disallow;
        var refusing = new JsonFormat(new JsonSerializerOptions(SampleJson.Default.Options) { UnmappedMemberHandling = known });
        FluentActions.Invoking(() => Read<Fixed>(refusing, "{\"x\":1,\"number\":5,\"x\":2}")).Should().Throw<CoapPayloadException>()
            .WithMessage("The JSON object has an unknown member*");
    }

    [Fact]
    public void A_class_without_setters_is_read_too()
    {
        Read<Fixed>(Format, "{\"number\":5}").Number.Should().Be(5);
        Error<Fixed>("{}").Message.Should().StartWith("The JSON object at $ lacks 'number'");
    }

    [Theory]
    [InlineData("1e330"), InlineData("-1E+39"), InlineData("4e38"), InlineData("1e0000039")]
    [InlineData("1000000000000000000000000000000000000000"), InlineData("1000000000000000000000000000000000000000.5")]
    public void A_number_that_would_become_infinite_is_refused(string number)
    {
        var json = $"{{\"name\":\"a\",\"count\":1,\"rate\":{number}}}";

        Error<Strict>(json).Message.Should().Be("A number is too large for the expected type, in the JSON value (at byte 0).");
        Read<double>(Format, "1e39").Should().Be(1e39);
        Error<double>("1e330").Offset.Should().Be(0);
        Read<JsonElement>(Format, "[1e330]")[0].GetRawText().Should().Be("1e330");
        Read<Strict>(Format, "{\"name\":\"e12 1e99\",\"count\":1,\"rate\":1e+10,\"other\":1e330}").Rate.Should().Be(1e10f);
    }

    [Fact]
    public void A_number_in_a_list_that_would_become_infinite_is_refused()
    {
        using var stream = new MemoryStream("[1,1e330]"u8.ToArray());

        FluentActions.Invoking(() => Format.ReadItems<double>(stream).ToList()).Should().Throw<CoapPayloadException>()
            .WithMessage("A number is too large*(at byte 3).");
    }

    [Fact]
    public void Infinite_numbers_are_allowed_if_the_options_have_literals_for_them()
    {
        var format = new JsonFormat(new JsonSerializerOptions(SampleJson.Default.Options)
        {
            NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        });

        Read<double>(format, "1e330").Should().Be(double.PositiveInfinity);
        Encoding.UTF8.GetString(JsonFormatTests.Written(format, double.NaN)).Should().Be("\"NaN\"");
        FluentActions.Invoking(() => JsonFormatTests.Written(Format, double.NaN)).Should().Throw<ArgumentException>()
            .WithMessage("The Double cannot be written as JSON: it contains a number that is infinite*AllowNamedFloatingPointLiterals*");
    }

    [Fact]
    public void An_object_that_contains_itself_is_named_as_the_cause()
    {
        var chain = new Chain();
        chain.Next = chain;

        FluentActions.Invoking(() => JsonFormatTests.Written(Format, chain)).Should().Throw<ArgumentException>()
            .WithMessage("The Chain cannot be written as JSON: it has * levels or more; perhaps it contains itself.*");
    }

    [Fact]
    public void Object_is_handled_only_if_the_context_has_it() => Format.Handles(typeof(object)).Should().BeFalse();

    private static T Read<T>(JsonFormat format, string json) => format.Read<T>(Encoding.UTF8.GetBytes(json));

    private static CoapPayloadException Error<T>(string json) =>
        FluentActions.Invoking(() => Read<T>(Format, json)).Should().Throw<CoapPayloadException>().Which;
}
