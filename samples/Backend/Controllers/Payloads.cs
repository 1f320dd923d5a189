using System.Text.Json.Serialization;
using CoAP;
using CoAP.Formats;

namespace Backend;

/// <summary>The power that a controller has to reach.</summary>
internal sealed record SetPoint(double Watts);

/// <summary>The power that flows at the moment: the observable resource "/power" of a controller.</summary>
internal sealed record Power(double Watts);

/// <summary>Whether a controller has accepted a set point, and the reason if it has not. It gets the set point with its next registration, too.</summary>
internal sealed record SetPointDelivery(bool IsDelivered, string? Problem);

[PayloadContract(typeof(Reading))]
[PayloadContract(typeof(Reading[]))]
[PayloadContract(typeof(SetPoint))]
[PayloadContract(typeof(Power))]
[PayloadContract(typeof(SetPointDelivery))]
internal sealed partial class Contracts : PayloadContracts;

[JsonSerializable(typeof(Reading))]
[JsonSerializable(typeof(Reading[]))]
[JsonSerializable(typeof(SetPoint))]
[JsonSerializable(typeof(Power))]
[JsonSerializable(typeof(SetPointDelivery))]
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
internal sealed partial class JsonContracts : JsonSerializerContext;

/// <summary>The formats of payloads, the preferred one first.</summary>
internal static class Payloads
{
    public static PayloadFormats Formats { get; } = PayloadFormats.Of(new CborFormat(Contracts.Default), new JsonFormat(JsonContracts.Default));
}
